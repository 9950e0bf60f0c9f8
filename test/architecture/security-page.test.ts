import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  acceptedForgeries,
  documentedForgeries,
  SECURITY_PAGE,
  tableOf,
} from "../support/adversary/accepted-forgeries.ts";

const root = join(import.meta.dirname, "../..");
const audit: { readonly [id: string]: string } = JSON.parse(
  readFileSync(join(root, "test/fixtures/audit.json"), "utf8"),
);

describe("docs/security.md", () => {
  it("names every id of the audit, and no other id", () => {
    const named = new Set(SECURITY_PAGE.match(/\b[CHMLP]\d+b?\b/g));
    const ids = tableOf("against whom").flatMap(([attacker = ""]) => attacker.match(/\b[CHMLP]\d+b?\b/g) ?? []);

    assert.ok(ids.length > 20, `${ids.length} ids`);
    assert.deepEqual(
      Object.keys(audit).filter((id) => !named.has(id)),
      [],
    );
    assert.deepEqual(
      ids.filter((id) => audit[id] === undefined),
      [],
    );
  });

  it("names existing test files", () => {
    const tests = tableOf("against whom").flatMap(([, cell = ""]) => cell.match(/[\w/.-]+(?=`)/g) ?? []);
    const files = [
      ...tests.map((it) => `${it.startsWith("packages/") ? "" : "test/"}${it}.test.ts`),
      ...(SECURITY_PAGE.match(/(?<![\w/-])test\/[\w./-]+(?=`)/g) ?? []),
    ];

    assert.ok(files.length > 5, `${files.length} files`);
    assert.deepEqual(
      files.filter((it) => !existsSync(join(root, it))),
      [],
    );
  });

  it("lists exactly the forgeries that a single gateway can make", () => {
    assert.deepEqual(
      documentedForgeries(),
      acceptedForgeries.map(({ name }) => name),
    );
  });

  it("has a row and a test for every attacker", () => {
    const rows = tableOf("who").map(([attacker = ""]) => attacker);
    const names = rows.map((attacker) => /^\*\*(.*?)\*\*/.exec(attacker)?.[1] ?? attacker);
    const tested = tableOf("against whom").map(([attacker = ""]) => attacker.replace(/ \([^)]*\)$/, ""));

    assert.deepEqual(tested, names);
    for (const attacker of ATTACKERS)
      assert.ok(
        rows.some((row) => row.includes(attacker)),
        attacker,
      );
  });
});

const ATTACKERS = [
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
