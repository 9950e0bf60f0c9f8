import assert from "node:assert/strict";
import { parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import {
  checkAmount,
  checkRecipient,
  recipientItems,
  type ShownAccount,
  senderItems,
} from "../../../../src/features/transactions/send-coins.view.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const FRIEND = "TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13";
const alice: ShownAccount = { address: ALICE, name: "Alice", balance: sun(10_000_000n), canSign: true };
const bob: ShownAccount = { address: BOB, name: "Bob", balance: sun(20_000_000n), canSign: true };

describe("senderItems and recipientItems", () => {
  it("list accounts with a key by balance, then accounts with shared permissions", () => {
    const watched = { ...bob, name: "Watched", canSign: "maybe" } as const;
    const items = senderItems([alice, bob, watched, { ...bob, name: "Without key", canSign: false }]);

    assert.deepEqual(
      items.map((it) => it.label),
      ["$(key) Bob", "$(key) Alice", "$(eye) Watched"],
    );
    assert.equal(items[2]?.description, `if you have keys of its permissions · 20 coins · ${toBase58(BOB)}`);
    assert.equal(items[1]?.description, `10 coins · ${toBase58(ALICE)}`);
  });

  it("mark accounts that sign in the browser", () => {
    const items = senderItems([alice, { ...bob, signer: "outside" }]);

    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [
        ["$(browser) Bob", `signs in the browser · 20 coins · ${toBase58(BOB)}`],
        ["$(key) Alice", `10 coins · ${toBase58(ALICE)}`],
      ],
    );
    assert.deepEqual(
      recipientItems([alice, bob], [], ALICE).map((it) => it.address),
      [BOB],
    );
  });

  it("list the address book after the accounts, each address once", () => {
    const friend = { address: parseAddress(FRIEND), label: "Friend", note: "address book" };

    const items = recipientItems([alice, bob], [{ address: BOB, label: "Bob" }, friend], ALICE);

    assert.deepEqual(
      items.map(({ label, description }) => [label, description]),
      [
        ["$(account) Bob", `20 coins · ${toBase58(BOB)}`],
        ["$(book) Friend", `address book · ${FRIEND}`],
      ],
    );
  });
});

describe("checkRecipient", () => {
  it("shows both forms of an address", () => {
    const forms = `${toBase58(BOB)} = ${BOB}`;

    assert.deepEqual(checkRecipient(BOB, ALICE), { kind: "good", value: BOB, message: forms });
    assert.deepEqual(checkRecipient(` ${toBase58(BOB)} `, ALICE), { kind: "good", value: BOB, message: forms });
  });

  it("reports a mistyped checksum", () => {
    const mistyped = `${toBase58(BOB).slice(0, -1)}${toBase58(BOB).endsWith("2") ? "3" : "2"}`;

    const checked = checkRecipient(mistyped, ALICE);

    assert.equal(checked.kind, "wrong");
    assert.match(checked.kind === "wrong" ? checked.message : "", /mistyped/);
    assert.equal(checkRecipient(ALICE, ALICE).kind, "wrong");
    assert.deepEqual(checkRecipient("  ", ALICE), { kind: "empty" });
  });
});

describe("checkAmount", () => {
  it("shows the amount in sun and the remaining balance", () => {
    assert.deepEqual(checkAmount("1.5", sun(10_000_000n)), {
      kind: "good",
      value: 1_500_000n,
      message: "1,500,000 sun · 8.5 coins left, before fees",
    });
    const checked = checkAmount("1.5", sun(10_000_000n), "TRX");
    assert.equal(checked.kind === "good" && checked.message, "1,500,000 sun · 8.5 TRX left, before fees");
  });

  it("rejects more than the balance", () => {
    const checked = checkAmount("10.000001", sun(10_000_000n));

    assert.deepEqual(checked, { kind: "wrong", message: "10,000,001 sun is more than the 10 coins on this account." });
    assert.deepEqual(
      ["0", "one", "1.0000001", "-1", "1,5"].map((it) => checkAmount(it, undefined).kind),
      ["wrong", "wrong", "wrong", "wrong", "wrong"],
    );
    assert.deepEqual(checkAmount("2", undefined), { kind: "good", value: 2_000_000n, message: "2,000,000 sun" });
  });
});
