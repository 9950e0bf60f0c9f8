import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandHandler, RegisterCommand } from "../../../../src/host/commands/commands.ts";
import { editor, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";

describe("registerAll", () => {
  const handlers = new Map<string, CommandHandler<never>>();
  const disposed: string[] = [];
  const register: RegisterCommand = (id, handler) => {
    handlers.set(id, handler as CommandHandler<never>);
    return { dispose: () => disposed.push(id) };
  };
  let registerAll: typeof import("../../../../src/host/commands/commands.ts").registerAll;

  before(async () => {
    ({ registerAll } = await loadWithEditor<{ registerAll: typeof registerAll }>("src/host/commands/commands.ts"));
  });

  it("registers all commands before it loads their handlers", async () => {
    const loads: number[] = [];
    const registered = registerAll(register, "decoder", async () => {
      loads.push(1);
      return {
        commands: {
          "finality.decode": ({ input }, argument) => [input, argument],
          "finality.decodeTransaction": () => "asked",
          "finality.decodeClipboard": () => "clipboard",
          "finality.openDecoder": () => "opened",
        },
      };
    });

    assert.deepEqual(
      [...handlers.keys()],
      ["finality.decode", "finality.decodeTransaction", "finality.decodeClipboard", "finality.openDecoder"],
    );
    assert.deepEqual(loads, []);
    const argument = { input: "0x08" };
    assert.deepEqual(await handlers.get("finality.decode")?.(argument as never, argument), ["0x08", argument]);
    assert.equal(await handlers.get("finality.openDecoder")?.({} as never, undefined), "opened");
    registered.dispose();
    assert.deepEqual(disposed, [...handlers.keys()]);
  });
});

describe("clearContext", () => {
  it("U4: clears every context key that a killed extension host left", async () => {
    const { clearContext } = await loadWithEditor<typeof import("../../../../src/host/commands/commands.ts")>(
      "src/host/commands/commands.ts",
    );
    const manifest = readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8");
    const clauses = [...manifest.matchAll(/"(?:when|enablement)": "([^"]*)"/g)].map(([, clause = ""]) => clause);
    const used = new Set(clauses.flatMap((it) => it.match(/(?<![\w.]|[vV]iew == )finality\.\w+/g) ?? []));
    editor.contexts = Object.fromEntries([...used].map((key) => [key, true]));

    clearContext();

    assert.ok(used.size > 10);
    const left = Object.entries(editor.contexts).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    assert.deepEqual(left, []);
  });
});

type TestedModule = typeof import("../../../../src/host/commands/commands.ts");

describe("StoredContextKey", () => {
  it("stores its value, and ignores a malformed one", async () => {
    const { StoredContextKey } = await loadWithEditor<TestedModule>("src/host/commands/commands.ts");
    const state = memento();

    const first = new StoredContextKey<string>(state, "finality.listed", "");
    first.set("+moving");
    assert.equal(state.get("finality.listed"), "+moving");

    first.set("");
    assert.equal(state.get("finality.listed"), undefined);
    await state.update("finality.listed", 7);
    new StoredContextKey<string>(state, "finality.listed", "").set("");
    assert.equal(state.get("finality.listed"), 7, "a malformed value is not overwritten by the default");
  });
});
