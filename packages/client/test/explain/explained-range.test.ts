import assert from "node:assert/strict";
import { explain } from "../../src/explain/explain.ts";
import {
  type ExplainedRange,
  failedAnswersIn,
  positionIn,
  rangeAt,
  rangesIn,
  windowAt,
} from "../../src/explain/explained-range.ts";

const HEX = "436f6e74726163742076616c6964617465206572726f72203a2062616c616e6365206973206e6f742073756666696369656e74";
const TX_ID = "ab".repeat(32);
const REFUSAL = `{"code":"CONTRACT_VALIDATE_ERROR","txid":"${TX_ID}","message":"${HEX}"}`;
const ADDRESS = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

const reported = (text: string): string[] =>
  rangesIn(text, explain).map(
    ({ start, end, explanation }) => `${text.slice(start, end).slice(0, 30)} ${explanation.code}`,
  );

function titleAt(text: string, at: string | number, isTracked = (_txId: string) => false): string | undefined {
  const offset = typeof at === "string" ? text.indexOf(at) + 1 : at;
  return rangeAt(text, offset, explain, { isTracked })?.explanation.title;
}

describe("rangesIn", () => {
  it("finds a failed answer as one range", () => {
    assert.deepEqual(reported(`Error: ${REFUSAL} at main`), [`${REFUSAL.slice(0, 30)} CONTRACT_VALIDATE_ERROR`]);
  });

  it("finds each txID, message and revert data outside of answers", () => {
    const panic = `0x4e487b71${"11".padStart(64, "0")}`;

    assert.deepEqual(reported(`sent ${TX_ID} got ${panic} and ${HEX}`), [
      `${TX_ID.slice(0, 30)} TXID`,
      `${panic.slice(0, 30)} Panic(uint256)`,
      `${HEX.slice(0, 30)} CONTRACT_VALIDATE_ERROR`,
    ]);
  });

  for (const [tool, line, expected] of [
    ["TronWeb", "  Error: REVERT opcode executed", "The contract reverted"],
    ["TronBox", "Error: Contract validate error : account does not exist", "account"],
    [
      "Hardhat",
      "Error: VM Exception while processing transaction: reverted with reason string 'Not owner'",
      "Reverted: Not owner",
    ],
    ["Hardhat", "reverted with panic code 0x12 (Division or modulo division by zero)", "Panic 0x12"],
    ["ethers", 'Error: execution reverted: "Not owner" (action="call")', "Reverted: Not owner"],
    ["mocha", `     AssertionError: expected SUCCESS but got ${REFUSAL}`, "Balance is not sufficient"],
  ] as const) {
    it(`finds the output of ${tool}: ${line.trim().slice(0, 50)}`, () => {
      const [reading] = rangesIn(line, explain);

      assert.ok(reading?.explanation.title.toLowerCase().includes(expected.toLowerCase()), reading?.explanation.title);
    });
  }

  it("finds nothing in text of other programs", () => {
    const calm = [
      "const color = 0xff00ff00;",
      "commit 7fcdcf8aab1212343454565678789090ababcdcd",
      "state: SUCCESS, FAILED or DEFAULT",
      '{"result":true,"list":[1,2]}',
      "integrity sha512-aaaa+bbbb==",
      `balance of ${ADDRESS}`,
      "GET /index.html HTTP/1.1",
      "",
    ];

    assert.deepEqual(
      calm.flatMap((line) => reported(line)),
      [],
    );
  });

  it("returns ordered ranges without overlap for random text", () => {
    const lines = [
      `${REFUSAL}${REFUSAL}`,
      `{{${REFUSAL}`,
      `${TX_ID} {"a":"${HEX}"} REVERT opcode executed`,
      "{".repeat(20_000),
    ];

    for (const line of lines) {
      const readings: readonly ExplainedRange[] = rangesIn(line, explain);
      for (const [at, { start, end }] of readings.entries()) {
        assert.ok(start < end && end <= line.length && start >= (readings[at - 1]?.end ?? 0), line.slice(0, 60));
      }
    }
  });

  it("searches the first 16 k characters of a line", () => {
    let longest = 0;
    const counted = (input: string) => {
      longest = Math.max(longest, input.length);
      return explain(input);
    };

    rangesIn(`${REFUSAL} ${"ab".repeat(500_000)}`, counted);

    assert.ok(longest <= 16_384, `${longest} characters were explained at once`);
  });
});

describe("rangeAt", () => {
  const text = `12:01 refused ${REFUSAL} while paying ${ADDRESS}`;

  it("finds the failed answer at any position in it", () => {
    for (const at of ["{", "CONTRACT_VALIDATE", "message", HEX, TX_ID]) {
      assert.equal(titleAt(text, at), "Balance is not sufficient", at);
    }
  });

  it("finds the transaction in a larger answer", () => {
    assert.match(titleAt(text, TX_ID, (txId) => txId === TX_ID) ?? "", /^A transaction's id/);
  });

  it("finds a single token outside of answers", () => {
    assert.match(titleAt(text, ADDRESS) ?? "", /^Address /);
    assert.match(titleAt("got SIGERROR there", "SIGERROR") ?? "", /ignature/);
    assert.match(titleAt("thrown Panic(0x11) here", "Panic") ?? "", /^Panic 0x11/);
    assert.match(titleAt("thrown Panic(0x11) here", "0x11") ?? "", /^Panic 0x11/);
  });

  it("finds an answer over many lines", () => {
    const pretty = JSON.stringify(JSON.parse(REFUSAL), undefined, 2);

    assert.equal(titleAt(pretty, HEX), "Balance is not sufficient");
  });

  it("prefers the larger answer with the same failure", () => {
    const outer = `{"result":{"result":true,"code":"CONTRACT_EXE_ERROR","message":"x"},"a":1}`;
    const reading = rangeAt(`{"wrapped":${outer}}`, 40, explain);

    assert.ok(reading !== undefined && reading.input.length >= 40, JSON.stringify(reading));
  });

  it("finds a node message in surrounding text", () => {
    assert.equal(
      titleAt("x\nContract validate error : balance is not sufficient.\ny", "balance"),
      "Balance is not sufficient",
    );
  });

  it("finds a common word in capitals only in a named field", () => {
    assert.equal(titleAt("if (state === SUCCESS) return", "SUCCESS"), undefined);
    assert.equal(titleAt('"contractRet": "SUCCESS"', "SUCCESS"), "Executed successfully");
  });

  it("finds no failure in source code and data that name one", () => {
    const texts = [
      "const refusal = { txId: refused.txId, state: refused.state.kind };",
      '{ "label": "A fee limit that is not enough", "contract": "Leaf", "feeLimit": 1000000 }',
      '{\n  "name": "revert-decoder",\n  "description": "Decodes error messages of a smart contract"\n}',
    ];

    for (const text of texts) {
      assert.notEqual(explain(text).category, "none", `the decoder explains ${text} by its subject`);
      for (const offset of text.split("").keys()) assert.equal(titleAt(text, offset), undefined, text);
      assert.deepEqual(reported(text), [], text);
      assert.deepEqual(failedAnswersIn(text, explain), [], text);
    }
  });

  it("finds nothing in text without a relation to the chain", () => {
    for (const calm of ["hello world", "const a = { b: 1 };", "0xff00ff00", "", "  "])
      assert.equal(titleAt(calm, 3), undefined, calm);
  });
});

const linesOf = (...lines: string[]) => ({ lineCount: lines.length, line: (number: number) => lines[number] ?? "" });

describe("windowAt", () => {
  it("returns a small part of a long line", () => {
    for (const length of [10_000, 1_000_000]) {
      const line = "word ".repeat(length / 5);

      const { text, offset, start } = windowAt(linesOf(line), { line: 0, character: length / 2 });

      assert.ok(text.length <= 4_200, `${text.length} characters of ${length} were looked at`);
      assert.equal(text, line.slice(start.character, start.character + text.length));
      assert.equal(start.character + offset, length / 2);
    }
  });

  it("includes the whole word at its edge", () => {
    const word = "ab".repeat(5_000);

    const { text } = windowAt(linesOf(`before 0x${word} after`), { line: 0, character: 3_000 });

    assert.ok(text.includes(`0x${word}`));
  });

  it("cuts a word of a megabyte", () => {
    const { text } = windowAt(linesOf("a".repeat(1_000_000)), { line: 0, character: 500_000 });

    assert.ok(text.length <= 131_100, `${text.length} characters were looked at`);
  });

  it("includes the surrounding lines up to its limit", () => {
    const window = windowAt(linesOf("{", '  "code": "A",', "}", "x".repeat(9_000)), { line: 1, character: 4 });

    assert.equal(window.text, '{\n  "code": "A",\n}');
    assert.equal(window.text[window.offset], "c".replace("c", window.text[6] ?? ""));
    assert.deepEqual(window.start, { line: 0, character: 0 });
  });

  it("maps each offset to its position in the document", () => {
    const lines = ["first", "second", "third"];
    const window = windowAt(linesOf(...lines), { line: 1, character: 2 });

    for (const [offset, character] of [...window.text].entries()) {
      if (character === "\n") continue;
      const place = positionIn(window, offset);
      assert.equal(lines[place.line]?.[place.character], character);
    }
    assert.equal(positionIn(windowAt(linesOf("x ".repeat(9_000)), { line: 0, character: 9_000 }), 10).line, 0);
  });
});
