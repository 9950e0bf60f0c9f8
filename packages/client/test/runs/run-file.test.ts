import assert from "node:assert/strict";
import { dice } from "../../../../test/support/random/dice.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { toBase58 } from "../../../tron/src/primitives/address.ts";
import { type RunFile, readRunFile } from "../../src/runs/run-file.ts";

const ALICE = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const BOB = "TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13";
const CAROL = "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13";
const TOKEN = "TUJu5QP3iLbJPJB4xJqv1RLz1b5Yb18BGW";

const read = (text: string | Uint8Array, name = "payroll.csv"): RunFile =>
  readRunFile(typeof text === "string" ? Buffer.from(text) : text, { name, coinSymbol: "TRX" });
const payments = (text: string | Uint8Array) => {
  const file = read(text);
  assert.equal(file.kind, "payments");
  return file.kind === "payments" ? file : assert.fail();
};
const codes = (text: string | Uint8Array) => read(text).refusals.map(({ code }) => code);
const messages = (text: string | Uint8Array) => read(text).refusals.map(({ message }) => message);
/** Returns the refusal of one cell in an otherwise valid table with semicolons. */
const refusalOf = (column: string, cell: string) => {
  const row: Record<string, string> = { recipient: ALICE, amount: "1.5", token: "", memo: "", label: "", key: "k-1" };
  row[column] = cell;
  const text = `${Object.keys(row).join(";")}\n${Object.values(row).join(";")}\n`;
  const { rows, refusals } = read(text);
  assert.deepEqual([rows.length, refusals.length], [0, 1], `${column} “${cell}”: ${refusals.map((it) => it.code)}`);
  const [refusal] = refusals;
  assert.ok(refusal);
  assert.match(refusal.message, new RegExp(`^Row 2, ${column}: `));
  assert.match(refusal.message, /\.$/);
  assert.equal(text.slice(refusal.range.start, refusal.range.end), cell);
  return refusal.code;
};

describe("run file", () => {
  it("reads rows with their own columns in any order", () => {
    const { rows, refusals, delimiter } = payments(
      `amount,Memo,Label,TO,Token,Idempotency-Key\n1.5,rent,“Alice”,${ALICE},,a-1\n20,,,${BOB},${TOKEN},b-1\n7,,,${BOB},1000001,c-1\n`,
    );

    assert.deepEqual(refusals, []);
    assert.equal(delimiter, ",");
    assert.deepEqual(
      rows.map(({ row, recipient, amount, token, memo, label }) => [
        row,
        toBase58(recipient),
        amount,
        token.kind,
        memo,
        label,
      ]),
      [
        [2, ALICE, "1.5", "coin", "rent", "“Alice”"],
        [3, BOB, "20", "trc20", undefined, undefined],
        [4, BOB, "7", "trc10", undefined, undefined],
      ],
    );
    assert.ok(rows.every(({ hasOwnKey }) => hasOwnKey));
  });

  it("makes the key of a row without one of the hash of the file and the row", () => {
    const { rows, fileHash } = payments(`to,amount\n${ALICE},1\n${BOB},2\n`);

    assert.match(fileHash, /^[0-9a-f]{64}$/);
    assert.deepEqual(
      rows.map(({ key }) => key),
      [`${fileHash}:2`, `${fileHash}:3`],
    );
    assert.deepEqual(codes(`to,amount,key\n${ALICE},1,${fileHash}:2\n`), ["key"]);
  });

  it("ignores a byte order mark, carriage returns, quotes around cells and empty rows at the end", () => {
    const file = payments(`\uFEFF"to";"amount";"label"\r\n"${ALICE}";"1.5";"a;""b"""\r\n;;\r\n\r\n`);

    assert.deepEqual(file.refusals, []);
    assert.deepEqual(
      file.rows.map(({ amount, label }) => [amount, label]),
      [["1.5", 'a;"b"']],
    );
  });

  it("refuses other encodings by name", () => {
    const text = `to,amount\n${ALICE},1\n`;
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");

    assert.deepEqual(messages(utf16), ["The file is in UTF-16. Save it as CSV in UTF-8."]);
    assert.deepEqual(messages(Buffer.from(text, "utf16le")), ["The file is in UTF-16. Save it as CSV in UTF-8."]);
    assert.deepEqual(messages(Buffer.from(`${text}\xfc`, "latin1")), [
      "The file is not in UTF-8. Save it as CSV in UTF-8.",
    ]);
  });

  it("takes the delimiter from the header only", () => {
    assert.equal(payments(`to\tamount\n${ALICE}\t1\n`).delimiter, "\t");
    assert.deepEqual(codes(`to;amount\n${ALICE},1\n`), ["cell-count"]);
    assert.deepEqual(codes(`to;amount,key\n${ALICE};1,2\n`), ["delimiter"]);
    assert.deepEqual(codes(`to\n${ALICE}\n`), ["delimiter"]);
    assert.deepEqual(codes(`sep=;\nto;amount\n${ALICE};1\n`), ["header"]);
    assert.deepEqual(codes(`\nto;amount\n${ALICE};1\n`), ["header"]);
  });

  it("refuses columns that are missing, unknown, repeated or without a name", () => {
    assert.deepEqual(messages(`to,currency\n${ALICE},USDT\n`), [
      "Row 1: the column “currency” has no meaning in a run. Remove it or rename it; allowed: recipient, amount, token, memo, label, key.",
      "Row 1: the column amount is missing.",
    ]);
    assert.deepEqual(codes(`to,address,amount\n`), ["column-duplicate"]);
    assert.deepEqual(codes(`to,amount,\n`), ["column-unknown"]);
    assert.deepEqual(codes(`${ALICE},1\n${BOB},2\n`), [
      "column-unknown",
      "column-unknown",
      "column-missing",
      "column-missing",
    ]);
  });

  it("refuses a row that has another number of cells, as a decimal comma makes it", () => {
    assert.deepEqual(messages(`to,amount\n${ALICE},1,5\n${BOB}\n`), [
      "Row 2 has 3 cells, and the header has 2 columns. A decimal comma splits an amount; a cell with the delimiter inside needs quotes.",
      "Row 3 has 1 cell, and the header has 2 columns.",
    ]);
  });

  it("refuses empty rows in the middle, and files without rows", () => {
    assert.deepEqual(messages(`to,amount\n${ALICE},1\n\n,\n${BOB},2\n`), [
      "Row 3 is empty, and rows follow it. Remove the row.",
      "Row 4 is empty, and rows follow it. Remove the row.",
    ]);
    assert.deepEqual(codes("to,amount\n\n"), ["no-rows"]);
    assert.deepEqual(codes(""), ["header"]);
  });

  it("refuses wrong quotes and cells of two lines, and reads the other rows", () => {
    const file = payments(`to,amount,label\n${ALICE},1,"a\nb"\n${BOB},2,c"d\n${CAROL},3,"ok"\n`);

    assert.deepEqual(
      file.refusals.map(({ row, code }) => [row, code]),
      [
        [2, "quotes"],
        [3, "quotes"],
        [4, "quotes"],
      ],
    );
    assert.deepEqual(
      file.rows.map(({ row, amount }) => [row, amount]),
      [[5, "3"]],
    );
  });

  const AMOUNTS: readonly (readonly [cell: string, code: string])[] = [
    ["", "empty"],
    ["1,5", "decimal-comma"],
    ["1,500", "decimal-comma"],
    ["1,234.5", "thousands"],
    ["1.234,5", "thousands"],
    ["1 500 000", "thousands"],
    ["1 500", "thousands"],
    ["1'500", "thousands"],
    ["1,500,000", "thousands"],
    ["1.500.000", "thousands"],
    ["1.500", "ambiguous-point"],
    ["1E+05", "scientific"],
    ["1,2e5", "scientific"],
    ["1.23457E+17", "scientific"],
    ["'1.5", "apostrophe"],
    ["1.5\u00a0", "invisible"],
    ["1\u202f500", "invisible"],
    ["1\u200b5", "invisible"],
    ["1.5 ", "outer-space"],
    [" 1.5", "outer-space"],
    ["$1.5", "currency"],
    ["1.5 €", "currency"],
    ["1.5 TRX", "currency"],
    ["USDT 1.5", "currency"],
    ["-1.5", "negative"],
    ["(1.5)", "negative"],
    ["−1", "negative"],
    ["0", "zero"],
    ["0.000", "zero"],
    ["=1+1", "formula"],
    ["+1", "formula"],
    ["@1", "formula"],
    ["1.1234567", "decimals"],
    ["99999999999999", "too-large"],
    ["0x10", "malformed"],
    ["1.", "malformed"],
    [".5", "malformed"],
    ["1_000", "thousands"],
    ["5%", "malformed"],
    ["１.５", "malformed"],
    ["٣", "malformed"],
    ["007", "leading-zero"],
    ["01.05.2026", "date"],
    ["1.5.", "date"],
    ["2026-05-01", "date"],
    ["5/1", "date"],
    ["May-01", "date"],
    ["1-May", "date"],
    ["1. Mai", "date"],
    ["5月1日", "date"],
    ["100000000000000000", "fifteen-digits"],
    ["123456789012345000", "fifteen-digits"],
    ["“1.5”", "quotes"],
    ["abc", "malformed"],
  ];
  for (const [cell, code] of AMOUNTS)
    it(`refuses the amount ${JSON.stringify(cell)} as ${code}`, () => {
      assert.equal(refusalOf("amount", cell), code);
    });

  const ADDRESSES: readonly (readonly [cell: string, code: string])[] = [
    ["", "empty"],
    [`${ALICE} `, "outer-space"],
    [`\u200e${ALICE}`, "invisible"],
    [`'${ALICE}`, "apostrophe"],
    ["0xdd791d6b49e190062d650e6a23c575510d35f2f9", "hex-address"],
    ["41dd791d6b49e190062d650e6a23c575510d35f2f9", "hex-address"],
    ["dd791d6b49e190062d650e6a23c575510d35f2f9", "hex-address"],
    ["TWAFRf…qpHp", "shortened-address"],
    ["TWAFRf...qpHp", "shortened-address"],
    [ALICE.slice(0, -1), "address-length"],
    [`${ALICE}p`, "address-length"],
    [ALICE.toLowerCase(), "address-case"],
    [ALICE.toUpperCase(), "address-case"],
    [`${ALICE.slice(0, -1)}q`, "checksum"],
    [ALICE.replace("Z", "z"), "checksum"],
    ["Alice", "address"],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "address"],
  ];
  for (const [cell, code] of ADDRESSES)
    it(`refuses the recipient ${JSON.stringify(cell)} as ${code}`, () => {
      assert.equal(refusalOf("recipient", cell), code);
    });

  it("names the row's other address that differs in case only", () => {
    const other = ALICE.replace("Z", "z");

    assert.deepEqual(messages(`to,amount\n${ALICE},1\n${other},2\n`), [
      `Row 3, to: “${other}” differs from ${ALICE} in upper and lower case only. Copy the address again.`,
    ]);
  });

  it("refuses tokens by symbol, and memos of tokens", () => {
    assert.equal(refusalOf("token", "USDT"), "token");
    assert.equal(refusalOf("token", "trx"), "token");
    assert.equal(refusalOf("token", "01000001"), "token");
    assert.deepEqual(codes(`to,amount,token\n${ALICE},1,TRX\n`), []);
    assert.deepEqual(codes(`to,amount,token,memo\n${ALICE},1,${TOKEN},hello\n`), ["memo"]);
    assert.deepEqual(codes(`to,amount,token\n${ALICE},1.5,1000001\n`), ["decimals"]);
    assert.deepEqual(codes(`to,amount,token\n${ALICE},9223372036854775808,1000001\n`), ["too-large"]);
  });

  it("refuses keys that a spreadsheet changed, and keys with spaces at the ends", () => {
    assert.equal(refusalOf("key", " k"), "outer-space");
    assert.equal(refusalOf("key", "1E+05"), "scientific");
    assert.equal(refusalOf("key", "123456789012345000"), "fifteen-digits");
    assert.equal(refusalOf("key", "schlüssel"), "key");
    assert.equal(refusalOf("key", "=k"), "formula");
    assert.equal(refusalOf("memo", "=HYPERLINK(1)"), "formula");
    assert.equal(refusalOf("label", "a\u202eb"), "label");
  });

  it("refuses a key that another row has, in any case", () => {
    assert.deepEqual(messages(`to,amount,key\n${ALICE},1,pay-1\n${BOB},2,PAY-1\n`), [
      "Row 3, key: row 2 has this key already. A key identifies one payment.",
    ]);
  });

  it("refuses an empty key if other rows have one", () => {
    assert.deepEqual(messages(`to,amount,key\n${ALICE},1,pay-1\n${BOB},2,\n`), [
      "Row 3, key: the key is missing, and other rows have one. Write a key, or remove the keys of all rows.",
    ]);
    assert.deepEqual(codes(`to,amount,key\n${ALICE},1,\n${BOB},2,\n`), []);
  });

  it("refuses equal payments unless each has a key of its own", () => {
    assert.deepEqual(messages(`to,amount\n${ALICE},1.50\n${BOB},2\n${ALICE},1.5\n`), [
      "Row 4 equals row 2: the same recipient, amount and token. Remove one, or give each row a key if both are meant.",
    ]);
    assert.deepEqual(codes(`to,amount,key\n${ALICE},1.50,a\n${ALICE},1.5,b\n`), []);
  });

  it("reads the calls of a call file as rows", () => {
    const text = `{ "calls": [\n  { "contract": "${TOKEN}", "function": "a()" },\n  { "contract": "${TOKEN}", "function": "b()" }, { "contract": "${TOKEN}", "function": "c()" }\n] }`;
    const file = read(text, "x.finality.jsonc");

    assert.deepEqual(
      file.rows.map(({ row }) => row),
      [2, 3],
    );
    assert.deepEqual(
      file.refusals.map(({ message }) => message),
      ["Row 3 has two calls. Begin each call on a line of its own."],
    );
    assert.deepEqual(
      read("{", "x.finality.jsonc").refusals.map(({ code }) => code),
      ["call"],
    );
  });
});

/** Random valid tables, and the values that they were made of. */
function randomTable(random: (bound: number) => number) {
  const delimiter = [",", ";", "\t"][random(3)] ?? ",";
  const end = ["\n", "\r\n"][random(2)] ?? "\n";
  const columns = ["recipient", "amount", "token", "memo", "label", "key"].filter(
    (it, at) => at < 2 || random(2) === 0 || it === "key",
  );
  columns.sort(() => random(3) - 1);
  const quote = (cell: string) => (random(4) === 0 || /["\t,;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const rows = Array.from({ length: 1 + random(3) }, (_, at) => {
    const token = ["", TOKEN, "1000001"][random(3)] ?? "";
    const whole = String(1 + random(10 ** (1 + random(9))));
    const fraction = token === "1000001" || random(2) === 0 ? "" : `.${String(random(10 ** 6)).padStart(6, "0")}`;
    const amount = `${whole}${fraction}`;
    return {
      recipient: [ALICE, BOB, CAROL][random(3)] ?? ALICE,
      amount,
      token: columns.includes("token") ? token : "",
      memo: token === "" && random(2) === 0 ? (["rent, May", 'say "hi"', "a;b"][random(3)] ?? "") : "",
      label: ["", "Ann", "李", 'O"N;,'][random(4)] ?? "",
      key: `key-${at}`,
    };
  });
  const table = [columns, ...rows.map((row) => columns.map((it) => row[it as keyof typeof row]))];
  const text =
    (random(2) === 0 ? "\uFEFF" : "") + table.map((cells) => cells.map(quote).join(delimiter) + end).join("");
  return { text, columns, rows };
}

describe("random run files", () => {
  it("round trip when they are valid", () => {
    const random = dice(7);
    for (let round = 0; round < howOften(500, 20_000); round++) {
      const { text, columns, rows } = randomTable(random);
      const file = payments(text);

      assert.deepEqual(file.refusals, [], text);
      assert.deepEqual(
        file.rows.map(({ recipient, amount, memo = "", label = "", key }) => [
          toBase58(recipient),
          amount,
          memo,
          label,
          key,
        ]),
        rows.map((row) => [
          row.recipient,
          row.amount,
          columns.includes("memo") ? row.memo : "",
          columns.includes("label") ? row.label : "",
          row.key,
        ]),
      );
    }
  });

  it("never give an amount or an address that differs from their text, whatever was changed in them", function () {
    this.timeout(600_000);
    const random = dice(11);
    const nasty = [
      ..."0123456789.,;\t\"'eE+-−=@$€ \u00a0\u200b\r\nTtIlO0xX_()/…１",
      "\r\n",
      "000",
      "1.500",
      ALICE,
      BOB.toLowerCase(),
    ];
    let accepted = 0;
    const rounds = howOften(1_000, 100_000);
    for (let round = 0; round < rounds; round++) {
      let { text } = randomTable(random);
      for (let count = 1 + random(3); count > 0; count--) {
        const at = random(text.length + 1);
        const insert = random(3) === 0 ? "" : (nasty[random(nasty.length)] ?? "");
        text = text.slice(0, at) + insert + text.slice(at + random(3));
      }
      const { rows, ranges } = { rows: payments(text).rows, ranges: text.replace(/^\uFEFF/, "") };
      for (const payment of rows) {
        const cell = (column: "amount" | "recipient") => {
          const { start = 0, end = 0 } = payment.ranges.get(column) ?? {};
          return ranges.slice(start, end).replace(/^"(.*)"$/, "$1");
        };
        assert.deepEqual(
          [cell("amount"), cell("recipient")],
          [payment.amount, toBase58(payment.recipient)],
          JSON.stringify(text),
        );
        assert.match(payment.amount, /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/);
        assert.equal(ranges.slice(0, payment.range.start).split("\n").length, payment.row);
        accepted++;
      }
    }
    assert.ok(accepted > rounds / 2, `${accepted} rows were accepted`);
  });
});
