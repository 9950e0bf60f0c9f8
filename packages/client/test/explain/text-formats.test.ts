import assert from "node:assert/strict";
import { inspect } from "node:util";
import { explain } from "../../src/explain/explain.ts";
import type { Explanation } from "../../src/explain/explanation.ts";

const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");
const TX_ID = "cd".repeat(32);
const word = (value: number): string => value.toString(16).padStart(64, "0");
const REASON = `08c379a0${word(32)}${word(2)}${hex("no").padEnd(64, "0")}`;

const answers: { readonly [name: string]: object } = {
  "a refused broadcast": {
    code: "CONTRACT_VALIDATE_ERROR",
    txid: TX_ID,
    message: hex("Contract validate error : Validate TransferContract error, balance is not sufficient."),
  },
  "an unknown outcome": { code: "OTHER_ERROR", txid: TX_ID, message: hex("Error: something odd happened") },
  "a busy node": { result: false, code: "SERVER_BUSY", txid: TX_ID, message: "Server busy." },
  "a refused request": {
    Error: "class org.tron.core.services.http.JsonFormat$ParseException : 1:2: INVALID hex String",
  },
  "a failed transaction": {
    id: TX_ID,
    blockNumber: 1,
    contractResult: [REASON],
    receipt: { energy_usage_total: 2, result: "REVERT" },
    result: "FAILED",
    resMessage: hex("REVERT opcode executed"),
  },
  "a simulation": {
    result: { result: true, message: hex("REVERT opcode executed") },
    energy_used: 100,
    constant_result: [REASON],
    transaction: { ret: [{ ret: "FAILED" }], raw_data: { contract: [] }, txID: TX_ID },
  },
};

const json = (answer: object): string => JSON.stringify(answer);
const lines = (answer: object, change: (line: string, index: number) => string): string =>
  JSON.stringify(answer, null, 2).split("\n").map(change).join("\n");

/** Formats of the same answer. */
const forms: { readonly [name: string]: (answer: object) => string } = {
  "Windows line ends and a BOM": (answer) => `\uFEFF${lines(answer, (line) => line).replaceAll("\n", "\r\n")}\r\n`,
  "colours of a console": (answer) => inspect(answer, { depth: 9, colors: true }),
  "colours of a log": (answer) => `\u001b[31m[error]\u001b[39m failed \u001b[1m${json(answer)}\u001b[22m`,
  "JSON as a text": (answer) => JSON.stringify(json(answer)),
  "JSON as a text of a text": (answer) => JSON.stringify(JSON.stringify(json(answer))),
  "JSON in an escaped field of a log": (answer) =>
    `time=1 level=error msg=${JSON.stringify(`failed: ${lines(answer, (line) => line)}`)}`,
  "JSON in JSON in a log": (answer) => JSON.stringify({ level: "error", msg: JSON.stringify({ body: json(answer) }) }),
  "events of a server": (answer) => lines(answer, (line) => `data: ${line}`),
  "numbers of lines": (answer) => lines(answer, (line, index) => `${String(index + 1).padStart(3)}  ${line}`),
  "numbers of lines with a bar": (answer) => lines(answer, (line, index) => `${index + 1} | ${line}`),
  "a quotation": (answer) => lines(answer, (line) => `> ${line}`),
  "a difference": (answer) => lines(answer, (line) => `+ ${line}`),
  "a comment": (answer) => lines(answer, (line) => `// ${line}`),
  "comments inside": (answer) => `// what the node said\n${lines(answer, (line) => line.replace(/,$/, ", // so"))}`,
  "a comment in a block": (answer) => json(answer).replace("{", "{ /* the answer */ "),
};

function meaning({ category, code, entry, retry }: Explanation) {
  return { category, code, entry, retry };
}

for (const [form, write] of Object.entries(forms))
  describe(`explain an answer with ${form}`, () => {
    for (const [name, answer] of Object.entries(answers))
      it(`returns the same explanation for ${name}`, () => {
        const input = write(answer);

        const explanation = explain(input);

        assert.deepEqual(meaning(explanation), meaning(explain(json(answer))));
        assert.equal(explanation.raw, input);
      });
  });

describe("explain a message in another encoding", () => {
  const said = "Contract validate error : Validate TransferContract error, balance is not sufficient.";
  const forms: { readonly [name: string]: string } = {
    "hex with 0x": `0x${hex(said)}`,
    "hex that lost a digit": hex(said).slice(0, -1),
    base64: Buffer.from(said, "utf8").toString("base64"),
  };

  for (const [name, message] of Object.entries(forms))
    it(`G5: keeps the text and uses no other decoding: ${name}`, () => {
      const code = "CONTRACT_VALIDATE_ERROR";
      const found = explain(json({ code, txid: TX_ID, message }));

      assert.equal(found.entry, `generic-${code}`);
      assert.deepEqual(found.retry, explain(json({ code, txid: TX_ID, message: "any other text" })).retry);
      assert.ok(found.decoded.some(({ name: field, value }) => field === "message" && value === message));
      assert.ok(found.candidates.some(({ title }) => /^Perhaps: .*balance is not suffi/.test(title)));
    });
});

describe("explain a truncated message", () => {
  const message = hex("Contract validate error : Validate TransferContract error, balance is not suff");

  it("reads the complete part, also in the middle of a byte", () => {
    for (const cut of [message, message.slice(0, -1)]) {
      const { cause, decoded } = explain(`{"code":"CONTRACT_VALIDATE_ERROR","txid":"${TX_ID}","message":"${cut}`);

      assert.match([cause, ...decoded.map(({ value }) => value)].join("\n"), /balance is not suf/);
      assert.ok(decoded.some(({ name }) => name === "cut off"));
    }
  });

  it("keeps text in no known form", () => {
    const said = (text: string) => explain(JSON.stringify({ code: "OTHER_ERROR", txid: TX_ID, message: text })).cause;

    for (const text of ["0x41", "abc", "abcdefabcdefabcdefa", "broadcastingtransaction1", "VGhpcw=="])
      assert.ok(said(text).endsWith(`The node says: ${text}`), said(text));
  });
});
