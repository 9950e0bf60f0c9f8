import assert from "node:assert/strict";
import { incomingWatch, payment } from "../../../../packages/client/src/incoming/incoming-entry.ts";
import type { WatchStatus } from "../../../../packages/client/src/incoming/incoming-ledger.ts";
import {
  checkExpected,
  describePayment,
  describeWatch,
  type IncomingState,
  incomingCsv,
  incomingJson,
  paymentsNotice,
  readExpected,
  readToken,
} from "../../../../src/features/incoming/incoming.view.ts";
import { party } from "../../../support/incoming/incoming-fixture.ts";

const BLOCK = { number: 7, id: `${"0".repeat(15)}7${"ab".repeat(24)}`, timestamp: Date.UTC(2026, 0, 2) };
const PAID = payment({
  txId: "cd".repeat(32),
  path: "contract",
  from: party(1),
  to: party(2),
  token: { kind: "coins" },
  amount: "1500000",
  block: BLOCK,
});
const CONTEXT = { nameOf: () => undefined, timeOf: (ms: number) => `T${ms}` };

function state(change: object = {}, more: Partial<IncomingState> = {}): IncomingState {
  const watch = incomingWatch({
    id: "0123456789abcdef",
    network: "Shop",
    address: party(2),
    token: { kind: "coins" },
    after: { ...BLOCK, number: 5 },
    at: 1,
    ...change,
  });
  const standing: WatchStatus = { watch, readTo: BLOCK as WatchStatus["readTo"], readAt: 2 };
  const payments = [{ payment: PAID, withdrawn: false }];
  return { standing, payments, active: true, network: "Shop", issue: undefined, ...more };
}

describe("export of incoming payments", () => {
  it("writes a CSV line per payment with exact amounts", () => {
    const [head, line, end] = incomingCsv([state()]).split("\r\n");

    assert.match(head ?? "", /^network,chain,watch,label,address,token,amount,coins,from,txID,path,block,blockID/);
    assert.match(
      line ?? "",
      /,coins,1500000,1\.5,T\w{33},(cd){32},contract,7,\w{64},2026-01-02T00:00:00\.000Z,final,block$/,
    );
    assert.equal(end, "");
  });

  it("escapes formulas, quotes, commas and line breaks in CSV", () => {
    for (const label of ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", " =1"])
      assert.ok(incomingCsv([state({ label })]).includes(`,"'${label}",`), label);

    const csv = incomingCsv([state({ label: 'Tea, "hot"\r\n=1' })]);

    assert.ok(csv.includes(',"Tea, ""hot""\r\n=1",'), csv);
    assert.equal(csv.split("\r\n").length, 4);
  });

  it("marks removed and claimed payments in JSON", () => {
    const all = [
      { payment: PAID, withdrawn: true },
      { payment: payment({ ...PAID, amount: "2", path: "log 0", claimed: true }), withdrawn: false },
    ];
    const [watch] = JSON.parse(incomingJson([state({}, { payments: all })])).watches;

    assert.equal(watch.received, "2");
    assert.deepEqual(
      watch.payments.map((it: { state: string; source: string }) => [it.state, it.source]),
      [
        ["taken back", "block"],
        ["final", "receipt"],
      ],
    );
  });
});

describe("describeWatch", () => {
  it("shows received and expected amounts", () => {
    const row = describeWatch(state({ expected: "4000000" }), CONTEXT);

    assert.equal(row.description, "1.5 of 4 coins, final · watching · 1 payment");
    assert.equal(
      row.spoken,
      "Coins to T9yD14…o1uc. 1.5 of 4 coins, final. Watching. 1 payment.".replace("T9yD14…o1uc", row.label.slice(9)),
    );
  });

  it("shows a removed payment without counting it", () => {
    const payments = [{ payment: PAID, withdrawn: true }];
    const row = describeWatch(state({}, { payments }), CONTEXT);

    assert.equal(row.description, "watching · 1 payment removed by reorganization");
    assert.match(
      describePayment({ payment: PAID, withdrawn: true }, CONTEXT).tooltip.join("\n"),
      /It is not counted\./,
    );
  });

  it("shows unreadable blocks, a missing chain and missing events", () => {
    const { standing } = state();
    const parted = describeWatch(state({}, { standing: { ...standing, partedAt: 3, partly: true } }), CONTEXT);

    assert.match(describeWatch(state({}, { issue: "It is offline." }), CONTEXT).description, /not read/);
    assert.match(parted.description, /chain not found/);
    assert.match(parted.tooltip.join("\n"), /does not report events by block/);
  });

  it("shows a label on one line", () => {
    const row = describeWatch(state({ label: "x\n\u202E$(alert)" }), CONTEXT);

    assert.ok(!/[\n\u202E]/.test(row.label), row.label);
  });

  it("paymentsNotice combines several payments", () => {
    const many = Array.from({ length: 5 }, () => PAID);

    assert.match(
      paymentsNotice(
        many,
        () => "Bob",
        () => ({}),
      ),
      /^5 payments received, final: (1\.5 coins to Bob, ){3}2 more\.$/,
    );
  });

  it("U19: uses the coin of the network", () => {
    const row = describeWatch(state({ expected: "4000000" }, { symbol: "TRX" }), CONTEXT);
    const paid = describePayment({ payment: PAID, withdrawn: false }, { ...CONTEXT, symbol: "TRX" });
    const notice = paymentsNotice(
      [PAID],
      () => "Bob",
      () => ({ label: "Invoice 7", symbol: "TRX" }),
    );

    assert.equal(row.description, "1.5 of 4 TRX, final · watching · 1 payment");
    assert.ok(row.tooltip.includes("Expected: 4 TRX (4,000,000 sun)"), row.tooltip.join("\n"));
    assert.match(paid.label, /^1\.5 TRX from /);
    assert.equal(paid.tooltip[0], "Amount: 1.5 TRX (1,500,000 sun)");
    assert.equal(notice, "Payment received, final: 1.5 TRX to Invoice 7.");
  });
});

describe("watch inputs", () => {
  it("readToken accepts coins, TRC-10 ids and contracts", () => {
    assert.deepEqual(readToken("coins"), { kind: "coins" });
    assert.deepEqual(readToken("1000001"), { kind: "trc10", id: "1000001" });
    assert.equal(readToken("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp").kind, "trc20");
    assert.throws(() => readToken("USDT"), { code: "ADDRESS_MALFORMED" });
  });

  it("readExpected rejects malformed amounts", () => {
    for (const text of ["0", "-1", "1.0000001", "1e9"]) {
      assert.throws(() => readExpected(text, { kind: "coins" }), { code: "AMOUNT_MALFORMED" }, text);
    }
    assert.throws(() => readExpected("1.5", { kind: "trc10", id: "1" }), { code: "AMOUNT_MALFORMED" });
    assert.deepEqual(checkExpected("", { kind: "coins" }).kind, "good");
    assert.deepEqual(checkExpected("x", { kind: "coins" }).kind, "wrong");
  });
});
