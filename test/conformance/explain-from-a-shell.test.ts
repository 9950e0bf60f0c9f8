import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const HEX = "5461706f7320636865636b206572726f722e";
const ANSWER = `{\n  "code": "TAPOS_ERROR",\n  "txid": "${"ab".repeat(32)}",\n  "message": "${HEX}"\n}`;
const REVERT = "Error: REVERT opcode executed";
const NO_CONTRACT = "then: Error: Smart contract is not exist.";

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "finality-explain-"));
});

after(() => {
  rmSync(folder, { recursive: true });
});

describe("npm run explain", function () {
  this.timeout(60_000);

  it("explains a file: the whole text, and each part with its range", () => {
    writeFileSync(join(folder, "answers.log"), `sent\n${ANSWER}\n${NO_CONTRACT}\n`);

    const { status, stdout, stderr } = explainFrom(["answers.log", "--json"]);

    assert.deepEqual([status, stderr], [0, ""]);
    const { whole, findings } = explained(stdout);
    assert.deepEqual([whole.category, whole.code], ["validation", "TAPOS_ERROR"]);
    assert.deepEqual(
      findings.map(({ code, category, text, start, end }) => ({ code, category, text, start, end })),
      [
        {
          code: "TAPOS_ERROR",
          category: "validation",
          text: ANSWER,
          start: { offset: 5, line: 2, column: 1 },
          end: { offset: 5 + ANSWER.length, line: 6, column: 2 },
        },
        {
          code: "CONTRACT_VALIDATE_ERROR",
          category: "validation",
          text: NO_CONTRACT,
          start: { offset: 6 + ANSWER.length, line: 7, column: 1 },
          end: { offset: 6 + ANSWER.length + NO_CONTRACT.length, line: 7, column: 1 + NO_CONTRACT.length },
        },
      ],
    );
    for (const { title, cause, fix, verdict } of [whole, ...findings]) {
      assert.ok([title, cause, fix].every((it) => it.length > 10));
      assert.match(verdict.sameBytes, /^(?:yes|no|after)$/);
    }
  });

  it("reads standard input, and prints no control characters", () => {
    const { status, stdout } = explainFrom([], `\u001b]0;title\u0007 Panic(0x11) \u202e0x08c379a0 \u001b[31m${REVERT}`);

    assert.equal(status, 0);
    assert.match(stdout, /^the whole text\n {2}category {4}abi\n {2}code {8}Panic\(uint256\)\n/);
    assert.match(stdout, /\n1:\d+-1:\d+ {2}Panic\(0x11\)\n/);
    assert.match(stdout, /\n {2}same bytes {2}no: /);
    assert.deepEqual(stdout.match(/[^\P{C}\n]/gu), null);
  });

  it("reports an unrelated text as UNKNOWN with exit code 0", () => {
    const { status, stdout } = explainFrom(["--json", "-"], "All is well.\n");

    assert.equal(status, 0);
    const { whole, findings } = explained(stdout);
    assert.deepEqual([whole.code, whole.category, findings], ["UNKNOWN", "none", []]);
  });

  it("exits with 2 for a file that cannot be read, and for unknown arguments", () => {
    for (const args of [["nothing.log"], ["."], ["--all"], ["one.log", "two.log"]]) {
      const { status, stdout, stderr } = explainFrom(args);

      assert.deepEqual([status, stdout], [2, ""], args.join(" "));
      assert.notEqual(stderr, "");
    }
  });
});

/** Runs the script as npm does, from the folder of the test. */
function explainFrom(args: readonly string[], input = "") {
  return spawnSync(process.execPath, [join(root, "scripts", "run.mjs"), "explain", ...args], {
    cwd: root,
    env: { ...process.env, INIT_CWD: folder },
    input,
    encoding: "utf8",
  });
}

interface Meaning {
  readonly category: string;
  readonly code: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly verdict: { readonly sameBytes: string };
}

interface Finding extends Meaning {
  readonly text: string;
  readonly start: unknown;
  readonly end: unknown;
}

interface Explained {
  readonly whole: Meaning;
  readonly findings: readonly Finding[];
}

function explained(stdout: string): Explained {
  return JSON.parse(stdout);
}
