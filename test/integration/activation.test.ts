import assert from "node:assert/strict";
import type { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { threadTimeMs } from "../../packages/node/src/system-clock.ts";
import { workUnitMs } from "../support/time/work-units.ts";
import { answering } from "./dialogs.ts";
import { Mocha } from "./mocha.ts";

/** Most time of the only activation, which may wait for other programs, in units of work. */
const ACTIVATION_UNITS = 300;
/** Most CPU time to load a part, in units of work. */
const PART_UNITS = 250;
const DISPATCHERS = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];
const dispatchers = (): readonly unknown[] => DISPATCHERS.map((key) => Reflect.get(globalThis, key));

/** Returns the scripts that this host starts from now on, without the programs of VS Code, such as git. The list grows. */
function startedPrograms(): readonly string[] {
  const started: string[] = [];
  const processes = createRequire(__filename)("node:child_process") as { spawn: typeof spawn };
  const original = processes.spawn;
  processes.spawn = ((command: string, input: readonly string[], options: object) => {
    const script = basename(input[0] ?? "");
    if (script.endsWith(".js")) started.push(script);
    return original(command, input, options);
  }) as typeof spawn;
  return started;
}

/** Prints a figure beside the tests of the report. */
function print(words: string): void {
  Mocha.reporters.Base.consoleLog(`      ${words}`);
}

/** Returns the CPU time to load a file when nothing below its folder is loaded, ms: the best of a few rounds. */
function loadingTime(file: string, limit: number): number {
  const load = createRequire(__filename);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 || (best > limit && round < 20); round++) {
    for (const known of Object.keys(load.cache)) if (known.startsWith(dirname(file))) delete load.cache[known];
    const started = threadTimeMs();
    load(file);
    best = Math.min(best, threadTimeMs() - started);
  }
  return best;
}

describe("extension activation", () => {
  const extension = vscode.extensions.getExtension("finality.finality");
  const before = dispatchers();

  it("is present and activates", async () => {
    assert.ok(extension, "finality.finality is not installed in this host");
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it(`activates in at most ${ACTIVATION_UNITS} units of work`, () => {
    assert.ok(extension);
    const main: { activationMs(): number | undefined } = createRequire(__filename)(
      join(extension.extensionPath, "dist", "extension.js"),
    );

    const took = main.activationMs();
    const unit = workUnitMs();

    print(`activate() took ${took?.toFixed(1)} ms, a unit of work ${unit.toFixed(2)} ms`);
    assert.ok(took !== undefined && took <= ACTIVATION_UNITS * unit, `it took ${took} ms`);
  });

  it(`loads each part in at most ${PART_UNITS} units of work`, () => {
    assert.ok(extension);
    const { extensionPath } = extension;
    const parts = globSync("dist/parts/{host,features}-*.js", { cwd: extensionPath }).sort();

    const limit = PART_UNITS * workUnitMs();
    const times = parts.map((part) => ({ part: basename(part), ms: loadingTime(join(extensionPath, part), limit) }));

    for (const { part, ms } of times) print(`${part} took ${ms.toFixed(1)} ms`);
    assert.ok(times.length >= 5, "the parts were not found");
    assert.deepEqual(
      times.filter(({ ms }) => ms > limit),
      [],
    );
  });

  it("loads and starts the chain only on request", async () => {
    const started = startedPrograms();
    const { address } = await vscode.commands.executeCommand<{ address: string }>("finality.generateSigningKey", {});
    await vscode.commands.executeCommand("finality.copyAddress", { address });
    await vscode.commands.executeCommand("finality.refreshAccounts", {});
    await answering("Remove", () => vscode.commands.executeCommand("finality.removeSigningKey", { address }));

    const loaded = Object.keys(createRequire(__filename).cache).filter((file) => basename(file) === "local-chain.js");
    assert.deepEqual([started, loaded], [[], []]);
    await vscode.commands.executeCommand("finality.startLocalChain", {});
    assert.deepEqual(started, ["local-chain.js"]);
    await vscode.commands.executeCommand("finality.stopLocalChain", { confirmed: true });
  });

  it("does not change the global dispatcher of fetch", async () => {
    await vscode.commands.executeCommand("finality.startLocalChain", {});
    await vscode.commands.executeCommand("finality.testConnection", {});

    assert.deepEqual(dispatchers(), before);
    await vscode.commands.executeCommand("finality.stopLocalChain", { confirmed: true });
  });

  it("registers every command of its manifest", async () => {
    assert.ok(extension);
    const { commands }: { commands: readonly { command: string }[] } = extension.packageJSON.contributes;
    const registered = new Set(await vscode.commands.getCommands(true));

    assert.deepEqual(
      commands.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });
});
