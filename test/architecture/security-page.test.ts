import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindsOfPage, SECURITY_PAGE, tableOf } from "../support/liar/security-page.ts";
import { trustedKinds } from "../support/liar/trusted-kinds.ts";

const root = join(import.meta.dirname, "../..");
const audit = JSON.parse(readFileSync(join(root, "test/fixtures/audit.json"), "utf8")) as {
  readonly [id: string]: string;
};
const named = tableOf("against whom").flatMap(([, tests = ""]) => tests.match(/[\w/.-]+(?=`)/g) ?? []);
const files = [
  ...named.map((it) => `${it.startsWith("packages/") ? "" : "test/"}${it}.test.ts`),
  ...(SECURITY_PAGE.match(/(?<![\w/-])test\/[\w./-]+(?=`)/g) ?? []),
];

describe("the page about security", () => {
  it("names each line of the audit", () => {
    const named = new Set(SECURITY_PAGE.match(/\b[CHMLP]\d+b?\b/g));

    const missing = Object.keys(audit).filter((id) => !named.has(id));
    assert.deepEqual(missing, []);
  });

  it("names no line that the audit does not have", () => {
    const ids = tableOf("against whom").flatMap(([who = ""]) => who.match(/\b[CHMLP]\d+b?\b/g) ?? []);

    assert.deepEqual(
      ids.filter((id) => audit[id] === undefined),
      [],
    );
    assert.ok(ids.length > 20, `${ids.length} ids`);
  });

  it("names tests that are there", () => {
    assert.ok(files.length > 5, `${files.length} files`);
    assert.deepEqual(
      files.filter((it) => !existsSync(join(root, it))),
      [],
    );
  });

  it("names exactly the kinds that one gateway is known to be believed for", () => {
    assert.deepEqual(
      kindsOfPage(),
      trustedKinds.map(({ name }) => name),
    );
  });

  it("has a row for everybody who may be against you", () => {
    const rows = tableOf("who").map(([who = ""]) => who);
    const names = rows.map((who) => /^\*\*(.*?)\*\*/.exec(who)?.[1] ?? who);
    const tested = tableOf("against whom").map(([who = ""]) => who.replace(/ \([^)]*\)$/, ""));

    assert.deepEqual(tested, names);
    const wanted = [
      "gateway",
      "contract",
      "token",
      "workspace",
      "extension",
      "program",
      "laptop",
      "remote",
      "dependency",
    ];
    assert.deepEqual(
      wanted.filter((it) => !rows.some((row) => row.includes(it))),
      [],
    );
  });
});
