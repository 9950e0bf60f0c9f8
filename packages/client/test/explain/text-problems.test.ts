import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutEscapes } from "../../src/explain/decode/plain-text.ts";
import { explain } from "../../src/explain/explain.ts";
import { lastFailureIn } from "../../src/explain/explained-range.ts";
import { answerProblems, callFileProblems, nearestName, type TextProblem } from "../../src/explain/text-problems.ts";

const HEX = "436f6e74726163742076616c6964617465206572726f72203a2062616c616e6365206973206e6f742073756666696369656e74";
const REFUSAL = `{"code":"CONTRACT_VALIDATE_ERROR","message":"${HEX}"}`;
const samples = join(import.meta.dirname, "../../../../samples");

function fixed(text: string, { fixes: [fix] }: TextProblem): string | undefined {
  return fix && text.slice(0, fix.range.start) + fix.text + text.slice(fix.range.end);
}

describe("callFileProblems", () => {
  it("knows the contracts that the setup deploys by their names in the file", () => {
    const names = { contracts: ["Leaf"], functionsOf: () => [{ name: "owner", arity: 0 }] };
    const problemsOf = (setup: string, call: string): readonly string[] =>
      callFileProblems(`{ "setup": [${setup}], "calls": [${call}] }`, names).map(({ message }) => message);
    const deployment = '{ "deploy": "Leaf", "name": "Leaves" }';

    assert.deepEqual(problemsOf(deployment, '{ "contract": "Leaves", "function": "owner" }'), []);
    assert.match(
      problemsOf(deployment, '{ "contract": "Leaves", "function": "ownre" }')[0] ?? "",
      /no function "ownre"/,
    );
    assert.match(problemsOf('{ "deploy": "Laef" }', "")[0] ?? "", /^No artifact has a contract "Laef"/);
    assert.match(problemsOf('{ "contract": "Leaf", "function": "grow" }', "")[0] ?? "", /^Leaf has no function "grow"/);
  });
});

describe("answerProblems", () => {
  it("returns one problem for each failed answer, at the failure", () => {
    const text = `[\n{"result":true,"txid":"${"ab".repeat(32)}"},\n${REFUSAL},\n{"Error":"class org.tron.core.exception.ContractValidateException : Contract validate error : account does not exist"}\n]`;

    const problems = answerProblems(text, explain);

    assert.deepEqual(
      problems.map(({ range, code }) => [text.slice(range.start, range.end).slice(0, 12), code]),
      [
        ['"code":"CONT', "CONTRACT_VALIDATE_ERROR"],
        ['"Error":"cla', problems[1]?.code],
      ],
    );
    assert.match(problems[0]?.message ?? "", /^Balance is not sufficient\. /);
  });

  it("offers to replace a hex message by its text", () => {
    const [problem] = answerProblems(REFUSAL, explain);

    assert.equal(
      problem && fixed(REFUSAL, problem),
      '{"code":"CONTRACT_VALIDATE_ERROR","message":"Contract validate error : balance is not sufficient"}',
    );
  });

  it("limits the work for deep braces", () => {
    let work = 0;
    const counted = (input: string) => {
      work += input.length;
      return explain(input);
    };

    answerProblems('{"a":'.repeat(5_000), counted);
    answerProblems(`${'{"a":{"b":1}},'.repeat(15_000)}`, counted);

    assert.ok(work < 1_500_000, `${work} characters were explained`);
  });
});

describe("callFileProblems", () => {
  const names = {
    contracts: ["Leaf", "TeaHouse"],
    functionsOf: (contract: string) =>
      contract === "Leaf" ? [{ name: "transfer", arity: 2 }] : [{ name: "order", arity: 1 }],
  };
  const fileOf = (call: object): string => JSON.stringify({ calls: [call] });
  const good = { contract: "Leaf", function: "transfer", arguments: ["a", "1"] };

  it("returns none for a valid file, with and without artifacts", () => {
    assert.deepEqual(callFileProblems(fileOf(good), names), []);
    assert.deepEqual(callFileProblems(fileOf({ ...good, contract: "Nowhere" }), { ...names, contracts: [] }), []);
    assert.deepEqual(callFileProblems(fileOf({ ...good, function: "constructor" }), names), []);
    assert.deepEqual(callFileProblems(fileOf({ ...good, contract: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" }), names), []);
  });

  for (const [what, call, message, expected] of [
    ["a contract that no artifact has", { ...good, contract: "Laef" }, /^No artifact has a contract "Laef"/, '"Leaf"'],
    [
      "a function that the contract does not have",
      { ...good, function: "transfr" },
      /^Leaf has no function/,
      '"transfer"',
    ],
    ["a key that nobody knows", { ...good, feelimit: 1 }, /has no "feelimit"/, '"feeLimit"'],
  ] as const) {
    it(`returns ${what} with the likely name as a fix`, () => {
      const text = fileOf(call);
      const [problem] = callFileProblems(text, names);

      assert.match(problem?.message ?? "", message);
      assert.ok(problem && fixed(text, problem)?.includes(expected));
    });
  }

  it("returns a wrong number of arguments", () => {
    const [problem] = callFileProblems(fileOf({ ...good, arguments: ["a"] }), names);

    assert.equal(problem?.message, "transfer of Leaf takes 2 arguments; 1 are given.");
  });

  it("returns none for the samples", () => {
    const contracts = ["Leaf", "TeaHouse"];
    const functionsOf = (name: string) => {
      const { abi } = JSON.parse(readFileSync(join(samples, `build/contracts/${name}.json`), "utf8"));
      return abi
        .filter(({ type }: { type: string }) => type === "function")
        .map(({ name: own, inputs }: { name: string; inputs: unknown[] }) => ({ name: own, arity: inputs.length }));
    };
    for (const file of ["leaf", "tea-house"]) {
      const text = readFileSync(join(samples, `calls/${file}.finality.jsonc`), "utf8");
      assert.deepEqual(callFileProblems(text, { contracts, functionsOf }), [], file);
    }
  });
});

describe("nearestName", () => {
  it("allows at most two typing errors", () => {
    assert.equal(nearestName("trasnfer", ["approve", "transfer"]), "transfer");
    assert.equal(nearestName("mint", ["burn", "transfer"]), undefined);
    assert.equal(nearestName("a", ["b"]), undefined);
  });
});

describe("lastFailureIn and withoutEscapes", () => {
  it("return the last failed transaction in colored output", () => {
    const output = `\u001b]0;title\u0007\u001b[31mError:\u001b[0m REVERT opcode executed\r\n\u001b[1m${REFUSAL}\u001b[0m\r\ndone\r\n`;

    assert.equal(lastFailureIn(output, explain)?.explanation.title, "Balance is not sufficient");
    assert.equal(lastFailureIn("all 12 tests passed\r\n", explain), undefined);
    assert.equal(lastFailureIn(`sent ${"ab".repeat(32)}\r\n`, explain), undefined);
  });

  it("remove escape sequences only, also incomplete ones", () => {
    assert.equal(
      withoutEscapes("\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\"),
      "red link",
    );
    assert.equal(withoutEscapes("plain [31m text"), "plain [31m text");
    assert.ok(withoutEscapes(`\u001b]${"a".repeat(1_000_000)}`).length < 1_000_000);
  });
});
