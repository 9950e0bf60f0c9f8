import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { FinalityApi } from "@finality/api";
import * as vscode from "vscode";
import { product, sources } from "./product.ts";

/** Names that a member which signs, sends or shows a secret would have. */
const FORBIDDEN = /sign|send|broadcast|submit|key|secret|token|mnemonic|consent/i;

interface SampleExtension {
  activate(context: {
    readonly subscriptions: vscode.Disposable[];
  }): Promise<{ readonly item: vscode.StatusBarItem } | undefined>;
}

describe("samples/extension", () => {
  const subscriptions: vscode.Disposable[] = [];
  after(() => vscode.Disposable.from(...subscriptions).dispose());

  it("reads the API of the installed extension", async () => {
    const sample: SampleExtension = createRequire(sources("samples", "extension", "package.json"))("./extension.js");

    const activated = await sample.activate({ subscriptions });

    assert.match(activated?.item.text ?? "", /^\$\(sync\) \d+ not final$/);
    const tooltip = await vscode.commands.executeCommand("sampleExtension.explain", "REVERT opcode executed");
    assert.match(String(tooltip), /\w+\. \w+/);
  });

  it("gets no member that signs, sends or shows a secret", async () => {
    const api = (await product().activate()) as FinalityApi;

    const names = membersOf(api);

    assert.ok(names.includes("track"));
    assert.deepEqual(
      names.filter((name) => FORBIDDEN.test(name)),
      [],
    );
  });
});

/** Returns the names of all members that can be reached without a call. */
function membersOf(value: object, seen = new Set<object>()): readonly string[] {
  if (seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((name) => {
    const member: unknown = Reflect.get(value, name);
    return [String(name), ...(typeof member === "object" && member !== null ? membersOf(member, seen) : [])];
  });
}
