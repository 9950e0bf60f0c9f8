import assert from "node:assert/strict";
import { readRunFile } from "../../src/runs/run-file.ts";

const ALICE = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const BOB = "TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13";
const CAROL = "TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW";

const read = (lines: readonly string[], encoding: BufferEncoding = "utf8") =>
  readRunFile(Buffer.from(`\uFEFF${lines.join("\r\n")}\r\n`, encoding), { name: "Gehälter.csv", coinSymbol: "TRX" });
const said = (lines: readonly string[]) => read(lines).refusals.map(({ message }) => message);

/** A newcomer exports a payroll from a spreadsheet with German settings, and follows each sentence. */
describe("export of a spreadsheet", () => {
  it("is corrected by following the sentences, and nothing is guessed on the way", () => {
    const header = "Name;Address;Amount;Key";
    const exported = [
      header,
      `Ann;${ALICE};1.500,00;2026-05-ann`,
      `Bob;${BOB} ;1,5;2026-05-bob`,
      `Carol;${CAROL};1E+05;2026-05-carol`,
      ";;;",
      "Total;;102.001,50;",
    ];

    assert.deepEqual(
      read(exported, "utf16le").refusals.map(({ message }) => message),
      ["The file is in UTF-16. Save it as CSV in UTF-8."],
    );
    assert.deepEqual(said(exported), [
      "Row 2, Amount: “1.500,00” has separators of thousands. Write the digits without them.",
      `Row 3, Address: “${BOB}” begins or ends with a space. Remove it.`,
      "Row 3, Amount: “1,5” has a comma, which can mean decimals or thousands. Write a point before decimals, and no separator of thousands.",
      "Row 4, Amount: “1E+05” is in scientific notation, which may have lost digits. Write all digits.",
      "Row 5 is empty, and rows follow it. Remove the row.",
      "Row 6, Address: the address is missing.",
      "Row 6, Amount: “102.001,50” has separators of thousands. Write the digits without them.",
    ]);

    const half = [header, `Ann;${ALICE};1.500;a`, `Bob;${BOB};1.5;b`, `Carol;${CAROL};100000;c`];
    assert.deepEqual(said(half), [
      "Row 2, Amount: “1.500” in a file with semicolons can mean 1500. Write 1.5000 or 1500.",
    ]);

    const corrected = [header, `Ann;${ALICE};1500;a`, `Bob;${BOB};1.5;b`, `Carol;${CAROL};100000;c`];
    const { refusals, rows, ...file } = read(corrected);
    assert.deepEqual(refusals, []);
    assert.deepEqual(
      rows.map((it) => ("amount" in it ? [it.row, it.label, it.amount, it.key] : it)),
      [
        [2, "Ann", "1500", "a"],
        [3, "Bob", "1.5", "b"],
        [4, "Carol", "100000", "c"],
      ],
    );
    assert.equal(file.kind === "payments" && file.delimiter, ";");
  });
});
