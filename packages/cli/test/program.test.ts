import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { Ajv2020 } from "ajv/dist/2020.js";
import { selectorOf } from "../../tron/src/abi/abi-signature.ts";
import { ChainError, isErrorCode } from "../../tron/src/errors/chain-error.ts";
import { parseAddress } from "../../tron/src/primitives/address.ts";
import { sun } from "../../tron/src/primitives/amount.ts";
import { blockId } from "../../tron/src/primitives/block.ts";
import { isJsonObject, type Json } from "../../tron/src/primitives/json.ts";
import { builtFromIntent } from "../../tron/src/transaction/built-transaction.ts";
import { errorCatalogue, reportOf } from "../src/cli-error.ts";
import { commands } from "../src/command-table.ts";
import { outputSchema } from "../src/output-schema.ts";
import { schemaFaults } from "./support/schema-faults.ts";
import { partOf, run, runJson } from "./support/test-terminal.ts";

const REVERT = "Error: REVERT opcode executed";
const TOKEN = JSON.stringify([
  { type: "error", name: "Paused", inputs: [{ name: "until", type: "uint256" }] },
  { type: "function", name: "settle", inputs: [{ name: "round", type: "uint256" }], outputs: [] },
]);
const SEVEN = "7".padStart(64, "0");
const PAUSED = `${selectorOf("Paused(uint256)")}${SEVEN}`;
const SETTLE = `${selectorOf("settle(uint256)")}${SEVEN}`;
const ADDRESS = parseAddress("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
/** Unsigned transfer of 1 sun. */
const { rawDataHex: RAW_DATA } = builtFromIntent(
  { kind: "transfer", owner: ADDRESS, to: ADDRESS, amount: sun(1n) },
  { referenceBlock: blockId("ab".repeat(32)), expiration: 1_700_000_060_000, timestamp: 1_700_000_000_000 },
);

describe("command line", () => {
  it("lists every command and every exit code in its help", async () => {
    const { exitCode, output } = await run([]);

    assert.equal(exitCode, 0);
    const lines = output.split("\n").map((line) => line.trim().replace(/ +/g, " "));
    for (const { name, summary } of commands) assert.ok(lines.includes(`${name} ${summary}`), `${name} in ${output}`);
    for (const code of [0, 1, 2, 3, 4, 5, 6, 70]) assert.match(output, new RegExp(`^  ${code} +\\S`, "m"));
  });

  it("has a help for every command that names all its options", async () => {
    for (const { name, options } of commands) {
      const { output } = await run([name, "--help"]);

      assert.match(output, new RegExp(`^Usage: finality ${name} `));
      for (const option of [...Object.keys(options), "json", "help"])
        assert.match(output, new RegExp(`  --${option}\\b`));
      assert.equal((await run(["help", name])).output, output);
    }
  });

  it("reports a mistyped command with its cause and next step", async () => {
    const { exitCode, output, report } = await run(["explian"]);

    assert.deepEqual([exitCode, output], [2, ""]);
    assert.match(report, /^The command line cannot be read \(USAGE\)\.\n {2}Cause: There is no command "explian"/);
    assert.match(report, /\n {2}Next: {2}Run finality --help/);
  });

  it("refuses unknown options and surplus arguments with exit code 2", async () => {
    for (const args of [
      ["explain", "--all"],
      ["explain", "one", "two"],
      ["explain", "one", "--text", "two"],
    ]) {
      const { exitCode, line } = await runJson(args);

      assert.deepEqual([exitCode, partOf(line, "error").code], [2, "USAGE"], args.join(" "));
    }
  });

  it("prints control characters of an argument as code points", async () => {
    const { report } = await run(["\u001b[31mx"]);

    assert.match(report, /⟨U\+001B⟩\[31mx/);
  });
});

describe("finality explain", () => {
  it("explains a file, standard input and a text alike", async () => {
    const outputs = [
      await run(["explain", "build.log"], { files: { "build.log": REVERT } }),
      await run(["explain"], { files: { "-": REVERT } }),
      await run(["explain", "--text", REVERT]),
    ].map(({ output }) => output);

    assert.match(outputs[0] ?? "", /^the whole text\n {2}category {4}execution\n {2}code {8}REVERT\n/);
    assert.deepEqual(new Set(outputs).size, 1);
  });

  it("prints an envelope for programs", async () => {
    const { exitCode, line } = await runJson(["explain", "--text", REVERT]);

    assert.deepEqual([exitCode, line.schema, line.command, line.ok], [0, "finality/1", "explain", true]);
    const { whole, findings } = partOf(line, "result");
    assert.ok(isJsonObject(whole) && Array.isArray(findings));
    assert.deepEqual([whole.code, findings.length], ["REVERT", 1]);
  });

  it("uses the names of an ABI file", async () => {
    const text = `execution reverted 0x${PAUSED}`;
    const { line } = await runJson(["explain", "--text", text]);
    const { line: named } = await runJson(["explain", "--text", text, "--abi", "Token.json"], {
      files: { "Token.json": TOKEN },
    });

    assert.doesNotMatch(JSON.stringify(line), /Paused/);
    assert.match(JSON.stringify(named), /Paused/);
  });

  it("reports a missing file with exit code 2, and names --text", async () => {
    const { exitCode, line } = await runJson(["explain", "REVERT"]);

    const { code, next, retry } = partOf(line, "error");
    assert.deepEqual([exitCode, code, retry], [2, "INPUT_UNREADABLE", "after-fix"]);
    assert.match(String(next), /--text/);
  });

  it("refuses a file of --abi without an ABI", async () => {
    const { exitCode, line } = await runJson(["explain", "--text", REVERT, "--abi", "a.json"], {
      files: { "a.json": "{}" },
    });

    assert.deepEqual([exitCode, partOf(line, "error").code], [2, "INPUT_UNREADABLE"]);
  });
});

describe("finality decode", () => {
  it("decodes a transaction from its bytes", async () => {
    const { line } = await runJson(["decode", "--text", RAW_DATA]);

    const { kind, intent, signers } = partOf(line, "result");
    assert.ok(isJsonObject(intent));
    assert.deepEqual([kind, intent.kind, intent.amount, signers], ["transaction", "transfer", "1", []]);
  });

  it("decodes calldata of a function that an ABI names", async () => {
    const { line } = await runJson(["decode", "--text", SETTLE, "--abi", "Token.json"], {
      files: { "Token.json": TOKEN },
    });

    const { kind, title, decoded } = partOf(line, "result");
    assert.equal(kind, "text");
    assert.match(String(title), /settle/);
    assert.deepEqual(decoded, [{ name: "round", value: "7", kind: "number", type: "uint256" }]);
  });
});

describe("finality schema", () => {
  it("prints the schema, and the error catalogue with --errors", async () => {
    const { line } = await runJson(["schema"]);
    const { output } = await run(["schema", "--errors"]);

    assert.deepEqual(partOf(line, "result"), outputSchema);
    const catalogue = JSON.parse(output);
    assert.deepEqual(Object.keys(catalogue.USAGE), ["title", "next", "retry", "exitCode"]);
    assert.equal(catalogue.EQUAL_TRANSACTION_ALIVE.retry, "track-first");
  });
});

describe("output schema", () => {
  it("is a valid schema of draft 2020-12", () => {
    const ajv = new Ajv2020();

    assert.equal(ajv.validateSchema(outputSchema), true);
    assert.equal(ajv.validateSchema({ ...outputSchema, type: "objects" }), false);
  });

  it("refuses a line with a missing, added or changed field", async () => {
    const { line: success } = await runJson(["explain", "--text", REVERT]);
    const { line: failure } = await runJson(["explain", "--all"]);
    const mutants = [success, failure].flatMap((line) => [...mutantsOf(line)]);

    assert.ok(mutants.length > 60, String(mutants.length));
    assert.deepEqual(
      mutants.filter((it) => schemaFaults(it).length === 0),
      [],
    );
  });
});

/** Field of a verdict that not every verdict has. */
const OPTIONAL = "when";

/** Returns copies of a value in which one field is missing, added, or of another type. */
function* mutantsOf(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) for (const mutant of mutantsOf(item)) yield value.with(index, mutant);
  } else if (isJsonObject(value)) {
    yield { ...value, surplus: 1 };
    for (const [name, field] of Object.entries(value)) {
      const { [name]: _, ...others } = value;
      if (name !== OPTIONAL) yield others;
      for (const mutant of mutantsOf(field ?? null)) yield { ...value, [name]: mutant };
    }
  } else yield [value];
}

describe("finality completion", () => {
  it("names every command and option in the script of each shell", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { output } = await run(["completion", shell]);

      for (const { name } of commands) assert.match(output, new RegExp(`\\b${name}\\b`), shell);
      assert.match(output, /tolerance/);
    }
    assert.equal((await runJson(["completion", "csh"])).exitCode, 2);
  });

  it("prints a script that bash can read", async () => {
    const { output } = await run(["completion", "bash"]);

    assert.equal(spawnSync("bash", ["-n"], { input: output, encoding: "utf8" }).stderr, "");
  });
});

describe("error reports", () => {
  it("name no command and no window of the editor", () => {
    const codes = Object.keys(errorCatalogue()).filter(isErrorCode);
    const details = new Proxy({}, { has: () => true, get: (_, name) => MADE[String(name)] ?? String(name) });
    const causes = codes.map((code) => reportOf(new ChainError(code, details as never)).report.cause);

    assert.ok(codes.length > 80);
    assert.deepEqual(
      causes.filter((it) => /\bRun [A-Z]\w+ [A-Z]|Edit Network|Edit the network|…(?: |$)|palette|\bwindow\b/.test(it)),
      [],
    );
  });
});

/** Details of errors that are no text. */
const MADE: Readonly<Record<string, unknown>> = {
  differences: [{ path: "amount", asked: "1", built: "2" }],
  boundTo: undefined,
  setting: "audience",
  what: "signed",
  attempts: 2,
  status: 401,
};
