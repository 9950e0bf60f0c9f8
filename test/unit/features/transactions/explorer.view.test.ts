import assert from "node:assert/strict";
import { parseTxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import { explorerPage, networksOf, pastedTransaction } from "../../../../src/features/transactions/explorer.view.ts";

const TXID = "7f3a".repeat(16);
const txId = parseTxId(TXID);

describe("a transaction that was pasted", () => {
  it("is a txID, or the page of one at any explorer", () => {
    assert.deepEqual(pastedTransaction(` ${TXID.toUpperCase()}\n`), { txId });
    for (const page of [
      `https://explorer.example/#/transaction/${TXID}`,
      `https://explorer.example/tx/0x${TXID}?lang=en`,
    ])
      assert.deepEqual(pastedTransaction(page), { txId, origin: "https://explorer.example" });
  });

  it("is none where an address names no transaction, or two, or is no address of a page", () => {
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

  it("belongs to the networks of its explorer", () => {
    const main = { name: "Main", explorerUrl: "https://explorer.example" };
    const test = { name: "Test", explorerUrl: "https://test.explorer.example/" };
    const pasted = pastedTransaction(`https://test.explorer.example/#/transaction/${TXID}`);
    assert.ok(pasted);

    assert.deepEqual(networksOf(pasted, [main, test, {}]), [test]);
    assert.deepEqual(txId && networksOf({ txId }, [main, test, {}]), []);
  });
});

describe("the page of a transaction", () => {
  it("is below the address of the explorer, with or without a slash at its end", () => {
    assert.ok(txId);
    for (const explorer of ["https://explorer.example", "https://explorer.example/"])
      assert.equal(explorerPage(explorer, txId), `https://explorer.example/#/transaction/${TXID}`);
  });
});
