import assert from "node:assert/strict";
import { policyToJson } from "../../../packages/client/src/keys/key-policy.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";

type Signer = typeof import("../../../src/sending/signer.ts");
type PolicyServices = Parameters<Signer["requirePolicies"]>[0];

const ALICE = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const BOB = parseAddress("T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb");
const payment = (amount: bigint): Intent => ({ kind: "transfer", owner: ALICE, to: BOB, amount: sun(amount) });
const tokens: Intent = { kind: "token-transfer", owner: ALICE, to: BOB, tokenId: "1000001", amount: 5n };

describe("requirePolicies with a limit", () => {
  let parts: Signer;

  before(async () => {
    parts = await loadWithEditor<Signer>("src/sending/signer.ts");
  });

  beforeEach(() => editor.reset());
  after(() => editor.reset());

  /** Returns whether signing continues after this input. */
  const passes = async (label: string, intent: Intent, typed: string | undefined): Promise<boolean> => {
    editor.typed = typed;
    const account = {
      address: ALICE,
      label,
      watchOnly: false,
      policy: policyToJson({ kind: "retype-above", amount: sun(1_000_000n) }),
    };
    const services: PolicyServices = {
      keys: { find: () => account },
      network: { name: "Nile", baseUrl: "https://nile.trongrid.io", local: false },
      prove: async () => undefined,
    };
    try {
      await parts.requirePolicies(services, [ALICE], intent);
      return true;
    } catch (error) {
      assert.equal((error as { code?: string }).code, "KEY_POLICY_REFUSED");
      return false;
    }
  };

  it("A10: accepts the shown amount with or without separators", async () => {
    for (const typed of ["1,234.5", "1234.5", " 1,234.5 "])
      assert.ok(await passes("A", payment(1_234_500_000n), typed));
    assert.ok(await passes("A", payment(15_000_000n), "15"));
    for (const typed of [
      "12,34.5",
      "1,2,3,4.5",
      "1 234.5",
      "1_234.5",
      "1.234,5",
      "1234,5",
      "12345",
      "",
      " ",
      ",",
      undefined,
    ])
      assert.equal(await passes("A", payment(1_234_500_000n), typed), false, typed);
    for (const typed of ["1,5", "1 5", "1_5", "", "_", ","])
      assert.equal(await passes("A", payment(15_000_000n), typed), false, typed);
  });

  it("A10: accepts only the exact label", async () => {
    assert.ok(await passes("Alice_1", tokens, "Alice_1"));
    assert.ok(await passes("Old, main key", tokens, "Old, main key"));
    for (const [label, typed] of [
      ["_", ""],
      ["_", " "],
      ["_", ","],
      [",", "_"],
      ["Alice_1", "Alice1"],
      ["Old, main key", "Oldmainkey"],
      ["Alice", "alice"],
      ["Alice", undefined],
      [" ", ""],
      ["", ""],
    ] as const)
      assert.equal(await passes(label, tokens, typed), false, `${label} / ${typed}`);
  });

  it("U19: uses the coin of the network", async () => {
    editor.reset();
    await passes("A", payment(15_000_000n), "15");

    assert.deepEqual(editor.prompts, ["Up to 15 TRX are sent, and this key asks twice above 1 TRX. Type 15 to sign."]);
  });
});
