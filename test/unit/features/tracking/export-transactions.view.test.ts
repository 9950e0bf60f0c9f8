import assert from "node:assert/strict";
import { csvText } from "../../../../packages/tron/src/format/csv.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { transactionsCsv, transactionsJson } from "../../../../src/features/tracking/export-transactions.view.ts";
import { ALICE, BOB, blockReference, nameOf, signedPart, tracked, txId } from "../../../support/tracking/tracked.ts";

const context = {
  nameOf,
  networkOf: ({ network }: { readonly network: string }) => network,
  functionOf: () => undefined,
  noteOf: () => '=HYPERLINK("https://evil.test") #rent',
};
const LARGE = sun(9_007_199_254_740_993n);
const PAYMENT = tracked({
  txId: txId("1"),
  label: "+1",
  signed: signedPart({ kind: "transfer", owner: ALICE, to: BOB, amount: LARGE }),
  state: {
    kind: "solidified",
    block: blockReference(7, 3_000),
    outcome: { kind: "failed", result: "REVERT", message: "" },
  },
});

describe("transactionsCsv", () => {
  it("has a row for each transaction, with exact amounts in sun and in coins", () => {
    const [names = "", row = "", end] = transactionsCsv([PAYMENT], context).split("\r\n");
    const cells = row.split(",");
    const cellOf = (name: string) => cells[names.split(",").indexOf(name)];

    assert.equal(end, "");
    assert.equal(cellOf("txID"), PAYMENT.txId);
    assert.equal(cellOf("state"), "failed");
    assert.equal(cellOf("blockTime"), "1970-01-01T00:00:03.000Z");
    assert.equal(cellOf("from"), toBase58(ALICE));
    assert.equal(cellOf("amountSun"), "9007199254740993");
    assert.equal(cellOf("amountCoins"), "9007199254.740993");
    assert.equal(cellOf("feeLimitSun"), "");
  });

  it("neutralises formulas in labels and notes", () => {
    const csv = transactionsCsv([PAYMENT], context);

    assert.match(csv, /,"'\+1",/);
    assert.match(csv, /,"'=HYPERLINK\(""https:\/\/evil.test""\) #rent",#rent\r\n$/);
  });
});

describe("transactionsJson", () => {
  it("has the same fields, without absent ones, and amounts as text", () => {
    const { version, transactions } = JSON.parse(transactionsJson([PAYMENT], context));

    assert.equal(version, 1);
    assert.equal(transactions[0].amountSun, "9007199254740993");
    assert.deepEqual(transactions[0].tags, ["#rent"]);
    assert.equal("token" in transactions[0], false);
  });
});

describe("csvText", () => {
  for (const text of ["=1+1", " =1", "+1", "-1", "@SUM(1)", "\t1", "＝1"])
    it(`begins a cell ${JSON.stringify(text)} with an apostrophe`, () => {
      assert.equal(csvText(["a"], [[text]]), `a\r\n"'${text}"\r\n`);
    });

  it("quotes commas, quotes and line breaks", () => {
    assert.equal(csvText(["a", "b"], [['x"y', "1,2\n3"]]), 'a,b\r\n"x""y","1,2\n3"\r\n');
  });
});
