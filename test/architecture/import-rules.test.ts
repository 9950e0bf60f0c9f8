import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findImportViolations } from "../../scripts/check/imports.mjs";

const root = join(import.meta.dirname, "..", "..");

/** One file of a small tree that breaks one rule. `uses` is imported by it and exists; `rule` is what has to notice. */
interface Breach {
  readonly rule: string;
  readonly file: string;
  readonly code: string;
  readonly also?: Readonly<Record<string, string>>;
}

const other = "export const other = 1;\nexport type Other = number;\n";

const breaches: readonly Breach[] = [
  { rule: "core-is-pure", file: "src/core/a.ts", code: 'import * as vscode from "vscode"; export const a = vscode;' },
  { rule: "core-is-pure", file: "src/core/a.ts", code: 'import type { Uri } from "vscode"; export type A = Uri;' },
  { rule: "core-is-pure", file: "src/core/a.ts", code: 'export type A = typeof import("vscode");' },
  { rule: "core-is-pure", file: "src/core/a.ts", code: 'import fs from "node:fs"; export const a = fs;' },
  { rule: "core-is-pure", file: "src/core/a.ts", code: 'import http from "http"; export const a = http;' },
  {
    rule: "core-is-pure",
    file: "src/core/a.ts",
    code: 'import { other } from "../host/other.ts"; export const a = other;',
    also: { "src/host/other.ts": other },
  },
  {
    rule: "core-is-pure",
    file: "src/core/a.ts",
    code: 'export const a = () => import("../features/f/other.ts");',
    also: { "src/features/f/other.ts": other },
  },
  {
    rule: "core-is-pure",
    file: "src/core/a.ts",
    code: 'import { other } from "../words/sentences/other.ts"; export const a = other;',
    also: { "src/words/sentences/other.ts": other },
  },
  {
    rule: "one-room-serves-pages",
    file: "src/host/outside/a.ts",
    code: 'import { createServer } from "node:http"; export const a = createServer;',
  },
  {
    rule: "words-are-pure",
    file: "src/words/sentences/a.ts",
    code: 'import { other } from "../../host/other.ts"; export const a = other;',
    also: { "src/host/other.ts": other },
  },
  { rule: "words-are-pure", file: "src/words/sentences/a.ts", code: 'import fs from "node:fs"; export const a = fs;' },
  {
    rule: "words-of-core-know-values-only",
    file: "src/words/reasons/a.ts",
    code: 'import { other } from "../sentences/other.ts"; export const a = other;',
    also: { "src/words/sentences/other.ts": other },
  },
  {
    rule: "words-of-core-know-values-only",
    file: "src/words/forms/a.ts",
    code: 'import type { Other } from "../../core/life/other.ts"; export type A = Other;',
    also: { "src/core/life/other.ts": other },
  },
  {
    rule: "host-serves-core",
    file: "src/host/a.ts",
    code: 'import { other } from "../features/f/other.ts"; export const a = other;',
    also: { "src/features/f/other.ts": other },
  },
  {
    rule: "features-look-down",
    file: "src/features/f/a.ts",
    code: 'import { other } from "../../extension.ts"; export const a = other;',
    also: { "src/extension.ts": other },
  },
  {
    rule: "features-look-down",
    file: "src/features/f/a.ts",
    code: 'import { request } from "undici"; export const a = request;',
  },
  {
    rule: "features-are-islands",
    file: "src/features/f/a.ts",
    code: 'import type { Other } from "../g/other.ts"; export type A = Other;',
    also: { "src/features/g/other.ts": other },
  },
  {
    rule: "views-are-pure",
    file: "src/features/f/a.view.ts",
    code: 'import type { Uri } from "vscode"; export type A = Uri;',
  },
  {
    rule: "local-chain-is-independent",
    file: "src/local-chain/a.ts",
    code: 'import { other } from "../core/gateway/other.ts"; export const a = other;',
    also: { "src/core/gateway/other.ts": other },
  },
  {
    rule: "local-chain-is-independent",
    file: "src/local-chain/a.ts",
    code: 'import type { Other } from "../core/errors/other.ts"; export type A = Other;',
    also: { "src/core/errors/other.ts": other },
  },
  {
    rule: "local-chain-is-independent",
    file: "src/local-chain/a.ts",
    code: 'import { other } from "../words/forms/other.ts"; export const a = other;',
    also: { "src/words/forms/other.ts": other },
  },
  {
    rule: "local-chain-is-a-bundle-of-its-own",
    file: "src/features/f/a.ts",
    code: 'import { other } from "../../local-chain/main.ts"; export const a = other;',
    also: { "src/local-chain/main.ts": other },
  },
  {
    rule: "local-chain-is-a-bundle-of-its-own",
    file: "src/features/f/a.ts",
    code: 'export const a = () => import("../../local-chain/main.ts");',
    also: { "src/local-chain/main.ts": other },
  },
  { rule: "pages-import-messages", file: "media/p/a.ts", code: 'import fs from "node:fs"; export const a = fs;' },
  {
    rule: "pages-share-types-only",
    file: "media/p/a.ts",
    code: 'import { other } from "../../src/webview-messages/other.ts"; export const a = other;',
    also: { "src/webview-messages/other.ts": other },
  },
  {
    rule: "messages-are-types",
    file: "src/webview-messages/a.ts",
    code: 'import { other } from "../core/other.ts"; export type A = typeof other;',
    also: { "src/core/other.ts": other },
  },
  {
    rule: "no-circles-of-folders",
    file: "src/core/a/a.ts",
    code: 'import { other } from "../b/other.ts"; export const a = other;',
    also: {
      "src/core/b/other.ts": other,
      "src/core/b/back.ts": 'import { own } from "../a/own.ts"; export const back = own;',
      "src/core/a/own.ts": "export const own = 1;",
    },
  },
  {
    rule: "no-cycles",
    file: "src/core/a.ts",
    code: 'import type { B } from "./b.ts"; export type A = B;',
    also: { "src/core/b.ts": 'import type { A } from "./a.ts"; export type B = A | number;' },
  },
  { rule: "no-orphans", file: "src/core/a.ts", code: "export const a = 1;" },
  {
    rule: "shipped-code-needs-shipped-packages",
    file: "src/extension.ts",
    code: 'import { build } from "esbuild"; export const a = build;',
  },
  {
    rule: "no-tests-in-shipped-code",
    file: "src/extension.ts",
    code: 'import { other } from "../test/other.ts"; export const a = other;',
    also: { "test/other.ts": other },
  },
  {
    rule: "everything-resolves",
    file: "src/extension.ts",
    code: 'import { a as b } from "./gone.ts"; export const a = b;',
  },
];

/** What is allowed and looks like a breach. */
const allowed: readonly Omit<Breach, "rule">[] = [
  {
    file: "src/features/f/a.ts",
    code: 'import type { Other } from "../../local-chain/main.ts"; export type A = Other;',
    also: { "src/local-chain/main.ts": other },
  },
  {
    file: "src/features/f/a.ts",
    code: 'import type { Uri } from "vscode"; export const a = (_: Uri) => import("../../core/other.ts");',
    also: { "src/core/other.ts": other },
  },
  {
    file: "src/core/a.ts",
    code: 'import { hash } from "node:crypto"; import { request } from "undici"; export const a = [hash, request];',
  },
  {
    file: "src/core/a.ts",
    code: 'import { other } from "../words/forms/other.ts"; export const a = other;',
    also: {
      "src/words/forms/other.ts": 'import { own } from "../../core/primitives/own.ts"; export const other = own;',
      "src/core/primitives/own.ts": "export const own = 1;",
    },
  },
  {
    file: "src/local-chain/a.ts",
    code: 'import { createServer } from "node:http"; import { other } from "../core/primitives/other.ts"; export const a = [createServer, other];',
    also: { "src/core/primitives/other.ts": other },
  },
];

async function rulesBrokenBy({ file, code, also = {} }: Omit<Breach, "rule">): Promise<string[]> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const tree = mkdtempSync(join(root, ".cache", "import-rules-"));
  try {
    for (const name of ["package.json", "tsconfig.json", "node_modules"])
      symlinkSync(join(root, name), join(tree, name));
    for (const [path, text] of Object.entries({ ...also, [file]: `${code}\n` })) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const { violations, unseen } = await findImportViolations(tree);
    assert.deepEqual(unseen, []);
    return [...new Set(violations.map(({ rule }) => rule))].sort();
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

describe("the rules of imports", () => {
  for (const breach of breaches) {
    it(`${breach.rule} notices: ${breach.file}: ${breach.code}`, async () => {
      assert.deepEqual(await rulesBrokenBy(breach), [breach.rule]);
    });
  }

  for (const fine of allowed) {
    it(`allow: ${fine.file}: ${fine.code}`, async () => {
      assert.deepEqual(await rulesBrokenBy(fine), []);
    });
  }

  it("hold in the whole tree, every file of which was seen", async () => {
    const { seen, unseen, violations } = await findImportViolations(root);

    const files = globSync("src/**/*.ts", { cwd: root }).length;
    assert.ok(files > 20 && seen >= files, `${seen} modules seen, ${files} files in src`);
    assert.deepEqual({ unseen, violations }, { unseen: [], violations: [] });
  });
});
