import assert from "node:assert/strict";
import * as vscode from "vscode";
import { product } from "./product.ts";

/** Resolves with the next value of an event that fits. */
function next<T>(event: vscode.Event<T>, fits: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const listening = event((value) => {
      if (!fits(value)) return;
      listening.dispose();
      resolve(value);
    });
  });
}

describe("editor integration", () => {
  before(() => product().activate());
  after(() => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
  });

  it("offers each task of the type finality", async () => {
    const tasks = await vscode.tasks.fetchTasks({ type: "finality" });

    assert.deepEqual(tasks.map(({ name }) => name).sort(), ["chain", "estimate", "wait"]);
  });

  it("runs a task to its end", async () => {
    const tasks = await vscode.tasks.fetchTasks({ type: "finality" });
    const estimate = tasks.find(({ name }) => name === "estimate") ?? assert.fail("there is no task");
    const ended = next(vscode.tasks.onDidEndTask, ({ execution }) => execution.task.name === "estimate");

    await vscode.tasks.executeTask(estimate);

    assert.equal((await ended).execution.task.source, "finality");
  });

  it("opens a terminal without keys in its environment", async () => {
    const opened = next(vscode.window.onDidOpenTerminal, ({ name }) => name === "Finality");

    await vscode.commands.executeCommand("workbench.action.terminal.newWithProfile", {
      config: {
        extensionIdentifier: "finality.finality",
        ...{ id: "finality.terminal", title: "Finality", icon: "link", options: {} },
      },
    });

    const { creationOptions } = await opened;
    const env = ("env" in creationOptions && creationOptions.env) || {};
    assert.deepEqual(
      Object.keys(env).filter((name) => !/^(?:FINALITY_(?:NETWORK|URL|LOCAL_URL|ADDRESS_\w+)|CHAIN_URL)$/.test(name)),
      [],
    );
  });
});
