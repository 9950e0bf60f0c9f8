import assert from "node:assert/strict";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { parseTxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import {
  explorerAddressPage,
  explorerContractPage,
  explorerPage,
  networksOf,
  pastedTransaction,
} from "../../../../src/features/transactions/explorer.view.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

const TXID = "7f3a".repeat(16);
const txId = parseTxId(TXID);

describe("pastedTransaction", () => {
  it("reads a txID or the URL of its explorer page", () => {
    assert.deepEqual(pastedTransaction(` ${TXID.toUpperCase()}\n`), { txId });
    for (const page of [
      `https://explorer.example/#/transaction/${TXID}`,
      `https://explorer.example/tx/0x${TXID}?lang=en`,
    ])
      assert.deepEqual(pastedTransaction(page), { txId, origin: "https://explorer.example" });
  });

  it("rejects other URLs and texts", () => {
    for (const text of [
      "https://explorer.example/#/address/TXYZ",
      `https://explorer.example/${TXID}/${"ab".repeat(32)}`,
      `https://explorer.example/${TXID}0`,
      `file:///${TXID}`,
      `see ${TXID}`,
      TXID.slice(1),
    ])
      assert.equal(pastedTransaction(text), undefined, text);
  });

  it("networksOf returns the networks of the explorer", () => {
    const main = { name: "Main", explorerUrl: "https://explorer.example" };
    const test = { name: "Test", explorerUrl: "https://test.explorer.example/" };
    const pasted = pastedTransaction(`https://test.explorer.example/#/transaction/${TXID}`);
    assert.ok(pasted);

    assert.deepEqual(networksOf(pasted, [main, test, {}]), [test]);
    assert.deepEqual(txId && networksOf({ txId }, [main, test, {}]), []);
  });
});

describe("explorerAddressPage", () => {
  it("returns the page of an address in base58", () => {
    assert.equal(
      explorerAddressPage("https://explorer.example/", ALICE),
      `https://explorer.example/#/address/${toBase58(ALICE)}`,
    );
  });
});

describe("explorerContractPage", () => {
  it("returns the page of the contract where the explorer is known to have one, else that of the address", () => {
    for (const explorer of ["https://tronscan.org/", "https://nile.tronscan.org"])
      assert.match(explorerContractPage(explorer, ALICE), new RegExp(`/#/contract/${toBase58(ALICE)}$`));
    for (const explorer of ["https://explorer.example", "https://nottronscan.org", "https://tronscan.org.evil.example"])
      assert.equal(explorerContractPage(explorer, ALICE), explorerAddressPage(explorer, ALICE));
  });
});

describe("explorerPage", () => {
  it("accepts an explorer URL with or without a trailing slash", () => {
    assert.ok(txId);
    for (const explorer of ["https://explorer.example", "https://explorer.example/"])
      assert.equal(explorerPage(explorer, txId), `https://explorer.example/#/transaction/${TXID}`);
  });
});
