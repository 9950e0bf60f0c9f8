import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { AbiIndex } from "../../../tron/src/abi/abi-index.ts";
import { loadDictionary } from "../../src/explain/documented-sources.ts";
import { explain } from "../../src/explain/explain.ts";
import { rangesIn } from "../../src/explain/explained-range.ts";

interface Exchange {
  readonly input: string;
  readonly category: string;
  readonly code: string;
  readonly entry: string;
  readonly title: string;
}

interface Validation {
  readonly contract: string;
  readonly message: string;
  readonly entry: string;
}

const read = <T>(name: string): readonly T[] =>
  JSON.parse(readFileSync(new URL(`../../../../test/fixtures/explanations/${name}.json`, import.meta.url), "utf8"));
const exchanges = read<Exchange>("other-exchanges");
const validations = read<Validation>("validation-messages");
const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");
const TX_ID = "ab".repeat(32);
const word = (value: number): string => value.toString(16).padStart(64, "0");

let abi: AbiIndex;

before(async () => {
  abi = await loadDictionary();
});

describe("explain exchanges without a recording", () => {
  for (const { input, ...expected } of exchanges) {
    it(`${expected.entry}: ${input.replaceAll(/\s+/g, " ").slice(0, 90)}`, () => {
      const { category, code, entry, title } = explain(input, { abi });

      assert.deepEqual({ category, code, entry, title }, expected);
    });
  }

  it("finds a link in a printed line", () => {
    const failures = exchanges.filter(({ input, category }) => category !== "http" && !input.includes("\n"));
    const lines = failures.map(({ input }) => input).filter((it) => !it.includes("expected 'REVERT'"));
    const printed = lines.filter((line) =>
      /^\s*(?:Error|ProviderError|\[FAIL|AssertionError|Returned error)/.test(line),
    );
    const silent = printed.filter((line) => rangesIn(`    ${line}`, (text) => explain(text, { abi })).length === 0);

    assert.ok(printed.length > 25, String(printed.length));
    assert.deepEqual(silent, []);
  });
});

describe("explain validation errors of each contract type", () => {
  for (const { contract, message, entry } of validations) {
    it(`${contract}: ${message.slice(0, 100)}`, () => {
      const answer = {
        code: "CONTRACT_VALIDATE_ERROR",
        txid: TX_ID,
        message: hex(`Contract validate error : ${message}`),
      };
      const refused = explain(JSON.stringify(answer));
      const thrown = explain(
        JSON.stringify({ Error: `class org.tron.core.exception.ContractValidateException : ${message}` }),
      );

      assert.deepEqual(
        [refused.category, refused.code, refused.entry],
        ["validation", "CONTRACT_VALIDATE_ERROR", entry],
      );
      assert.deepEqual([thrown.code, thrown.entry], ["ContractValidateException", entry]);
      assert.doesNotMatch(`${refused.title} ${refused.cause} ${refused.fix}`, /\{[a-z]+\}/i);
    });
  }

  it("ignores the same sentence of another program", () => {
    assert.equal(explain("The height must be greater than 3").entry, "generic-unknown");
    assert.equal(explain("Contract validate error : The height must be greater than 3").entry, "rule-positive");
    assert.equal(explain("Cannot open the file").entry, "generic-unknown");
  });
});

describe("explain transaction info", () => {
  const ALICE = "dd791d6b49e190062d650e6a23c575510d35f2f9";
  const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const log = { address: ALICE, topics: [TRANSFER, ALICE.padStart(64, "0"), ALICE.padStart(64, "0")], data: word(5) };
  const info = { id: TX_ID, blockNumber: 7, receipt: { result: "SUCCESS" }, contractResult: [word(1)] };

  it("shows events with their names and arguments", () => {
    const { decoded } = explain(JSON.stringify({ ...info, log: [log, { ...log, topics: ["ff".repeat(32)] }, {}] }), {
      abi,
    });

    const events = decoded.filter(({ name }) => name.startsWith("event "));
    assert.deepEqual(
      events.map(({ name }) => name),
      ["event 1"],
    );
    assert.match(events[0]?.value ?? "", /^Transfer\(from: TWAF\w+, to: TWAF\w+, value: 5\) of TWAF\w+$/);
    assert.deepEqual(
      events[0]?.children?.map(({ name, kind, value }) => [name, kind, value.slice(0, 4)]),
      [
        ["from", "address", "TWAF"],
        ["to", "address", "TWAF"],
        ["value", "number", "5"],
      ],
    );
  });

  it("skips malformed logs", () => {
    for (const broken of [{ ...log, data: "zz" }, { ...log, data: "00" }, { ...log, topics: [TRANSFER] }, 5, null]) {
      const { decoded } = explain(JSON.stringify({ ...info, log: [broken] }), { abi });
      assert.ok(!decoded.some(({ name }) => name.startsWith("event ")));
    }
  });

  it("takes the reason from contractResult, and shows resMessage beside it", () => {
    const reason = `08c379a0${word(32)}${word(2)}${hex("no").padEnd(64, "0")}`;
    const failed = {
      id: TX_ID,
      blockNumber: 7,
      receipt: { result: "REVERT" },
      result: "FAILED",
      contractResult: [reason],
      resMessage: hex("REVERT opcode executed"),
    };

    const { title, decoded } = explain(JSON.stringify(failed));

    assert.equal(title, "Reverted: no");
    assert.ok(decoded.some(({ name, value }) => name === "message" && value === "REVERT opcode executed"));
    assert.equal(explain(JSON.stringify({ ...failed, contractResult: [""] })).entry, "revert-empty");
  });

  it("reports a rejected inner call of a successful call", () => {
    const inner = { caller_address: `41${ALICE}`, transferTo_address: `41${ALICE}`, note: "63616c6c", rejected: true };

    const { entry, category, decoded } = explain(JSON.stringify({ ...info, internal_transactions: [inner] }));

    assert.deepEqual([entry, category], ["inner-rejection", "execution"]);
    assert.match(decoded[0]?.value ?? "", /^call TWAF\w+ → TWAF\w+$/);
  });

  it("names false as a possible meaning of 32 zero bytes", () => {
    const { candidates } = explain(JSON.stringify({ ...info, contractResult: [word(0)] }));

    assert.deepEqual(
      candidates.map(({ title }) => title),
      ["The call succeeded, but the token returned false"],
    );
  });
});
