import assert from "node:assert/strict";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { clipboard, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { BOB } from "../../../support/tracking/tracked.ts";

type TestedModule = typeof import("../../../../src/features/accounts-view/commands.ts");

describe("commands of the Accounts view", () => {
  it("copies the address in base58 when Copy Address runs", async () => {
    const { createAccountCommands } = await loadWithEditor<TestedModule>("src/features/accounts-view/commands.ts");
    const keys = { addressOf: () => BOB, find: () => ({ address: BOB, label: "Bob" }) };
    const { commands } = createAccountCommands({ keys } as never, async () => undefined);
    const argument = { address: toBase58(BOB) };

    assert.equal(await commands["finality.copyAddress"](argument, argument), toBase58(BOB));

    assert.equal(clipboard.content, toBase58(BOB));
  });

  it("copies the address of a row that is no account", async () => {
    const { createAccountCommands } = await loadWithEditor<TestedModule>("src/features/accounts-view/commands.ts");
    const keys = { addressOf: () => undefined, find: () => undefined };
    const { commands } = createAccountCommands({ keys } as never, async () => undefined);
    const address = toBase58(BOB);

    assert.equal(await commands["finality.copyAddress"]({ address }, { kind: "detail", address }), address);
    await assert.rejects(async () => commands["finality.copyAddress"]({ address }, { address }), {
      code: "ACCOUNT_UNKNOWN",
    });
  });
});
