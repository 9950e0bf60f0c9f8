import assert from "node:assert/strict";
import { bindPayments } from "../../../../packages/client/src/runs/run-binding.ts";
import { readRunFile } from "../../../../packages/client/src/runs/run-file.ts";
import type { RunFinding } from "../../../../packages/client/src/runs/run-findings.ts";
import { reviewRun } from "../../../../packages/client/src/runs/run-review.ts";
import { totalsIn } from "../../../../packages/client/src/runs/run-totals.ts";
import type { ValidatedRun } from "../../../../packages/client/src/runs/validate-run.ts";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { problemsInFile, runPage, runRows } from "../../../../src/features/runs/run-page.view.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const [alice, bob] = [toBase58(ALICE), toBase58(BOB)];

function runOf(rows: readonly string[], findings: readonly RunFinding[] = []): ValidatedRun {
  const text = ["recipient,amount,label,key", ...rows].join("\n");
  const file = readRunFile(Buffer.from(text), { name: "pay.csv" });
  const bound = bindPayments(file.kind === "payments" ? file : assert.fail(), ALICE, new Map());
  return {
    file,
    rows: bound.rows,
    refusals: file.refusals,
    findings,
    canStart: file.refusals.length === 0,
    paidAgain: [],
    totals: totalsIn(bound.rows, new Map()),
    newRecipients: [],
    needs: { rows: rows.length, energy: 0n, bandwidth: 0n, activations: 0, memos: 0, isUpperBound: false },
    plans: [],
  };
}

const pageOf = (run: ValidatedRun) => {
  const network = { name: "Shasta", production: false };
  const names = { symbol: "TRX", owner: ALICE, nameOf: () => undefined, file: "pay.csv", concurrency: 8 };
  const review = reviewRun(run, { network, ...names });
  return runPage(
    { run, review },
    runRows(run, () => undefined, "TRX"),
  );
};

describe("page of a run", () => {
  it("lists every row with its cells, its state and its problems", () => {
    const run = runOf(
      [`${bob},1.5,Bob,pay-1`, `${bob},"1,5",Bob,pay-2`, `${alice},2,,pay-3`],
      [{ severity: "warning", rows: [4], message: "Row 4 looks like another one." }],
    );
    const rows = runRows(run, (address) => (address === BOB ? "Bob's shop" : undefined), "TRX");

    assert.deepEqual(
      rows.map((it) => [it.row, it.state, it.recipient, it.amount, it.label, it.key]),
      [
        [2, "ready", `Bob's shop ${bob}`, "1.5 TRX", "Bob", "pay-1"],
        [3, "refused", "", "", "", ""],
        [4, "warning", alice, "2 TRX", "", "pay-3"],
      ],
    );
    assert.match(rows[1]?.detail ?? "", /^Row 3, amount: “1,5” has a comma/);
    assert.equal(rows[2]?.detail, "Row 4 looks like another one.");
  });

  it("groups refused cells by their cause, and counts rows by their state", () => {
    const page = pageOf(runOf([`${bob},"1,5",,`, `${bob},"2,5",,`, `${bob},1E5,,`, `${bob},4,,`]));

    assert.deepEqual(
      page.causes.map(({ tone, row }) => [tone, row]),
      [
        ["bad", 2],
        ["bad", 4],
      ],
    );
    assert.match(page.causes[0]?.text ?? "", /^Row 2, amount: .*\(2 rows have this problem\)$/);
    assert.deepEqual(
      page.states.map(({ id, count }) => [id, count]),
      [
        ["refused", 3],
        ["ready", 1],
      ],
    );
    assert.equal(page.title, "The run cannot start: 3 problems");
  });

  it("marks the refused cell and the row of a finding in the file", () => {
    const run = runOf([`${bob},"1,5",,`, `${bob},2,,`], [{ severity: "refused", rows: [3], message: "no" }]);
    const text = `recipient,amount,label,key\n${bob},"1,5",,\n${bob},2,,`;

    assert.deepEqual(
      problemsInFile(run).map(({ range, isError }) => [text.slice(range.start, range.end), isError]),
      [
        ['"1,5"', true],
        [`${bob},2,,`, true],
      ],
    );
  });

  it("is ready when nothing is refused", () => {
    const run = runOf([`${bob},4,,`]);
    const page = pageOf(run);
    const [row] = runRows(run, () => undefined, "TRX");

    assert.deepEqual([row?.state, row?.key], ["ready", "of the file and the row"]);
    assert.match(page.title, /^Ready: Send 1 transaction from /);
    assert.equal(page.tone, "good");
  });
});
