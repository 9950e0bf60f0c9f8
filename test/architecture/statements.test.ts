import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { onlyMentioned, type Statement, testsOf } from "../../scripts/statements/named-statements.mjs";

const root = join(import.meta.dirname, "..", "..");
const STATEMENTS: Readonly<Record<string, Statement>> = {
  S21: { text: "expiration checked on submission", kind: "rule", place: "explanation", evidence: ["expir"] },
};

function faults(body: string, beside = ""): readonly string[] {
  const source = `${beside}\nit("S21: an expiration is checked on submission", () => {${body}});`;
  return testsOf(source).flatMap((test) => onlyMentioned(test, "test/x.test.ts", STATEMENTS));
}

describe("the statements of the interface document", () => {
  it("are held by tests that assert them, each on its page", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/statements.mjs"], {
      cwd: root,
      encoding: "utf8",
    });

    assert.equal(stderr, "");
    assert.match(stdout, /^(\d+) of \1 statements named by a test that asserts them/);
    assert.equal(status, 0);
  });

  it("are not held by a test that mentions one in its title and asserts nothing", () => {
    assert.deepEqual(faults("broadcast(expired);"), ["S21 is named by a test that asserts nothing"]);
  });

  it("are not held by a test that asserts something else, whatever its title and comments say", () => {
    const [fault = ""] = faults("/* the expiration */ assert.equal(1 + 1, 2);");

    assert.match(fault, /^S21 \(expiration checked on submission\) is named by a test that asserts something else/);
  });

  it("are held by what a test uses of its file", () => {
    const helper = "const refused = (expiration) => assert.equal(answer(expiration), 'Transaction expired');";

    assert.deepEqual(faults("refused(1n);", helper), []);
    assert.equal(faults("accepted(1n);", helper).length, 1);
  });
});
