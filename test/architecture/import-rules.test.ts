import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findImportViolations } from "../../scripts/check/imports.mjs";

const root = join(import.meta.dirname, "..", "..");

/** A file that breaks one rule, and the files that it imports. */
interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly code: string;
  readonly also?: Readonly<Record<string, string>>;
}

const other = "export const other = 1;\nexport type Other = number;\n";

const forbidden: readonly Violation[] = [
  {
    rule: "client-is-pure",
    file: "packages/client/src/a.ts",
    code: 'import * as vscode from "vscode"; export const a = vscode;',
  },
  {
    rule: "client-is-pure",
    file: "packages/client/src/a.ts",
    code: 'import type { Uri } from "vscode"; export type A = Uri;',
  },
  { rule: "client-is-pure", file: "packages/client/src/a.ts", code: 'export type A = typeof import("vscode");' },
  { rule: "client-is-pure", file: "packages/client/src/a.ts", code: 'import fs from "node:fs"; export const a = fs;' },
  { rule: "client-is-pure", file: "packages/client/src/a.ts", code: 'import http from "http"; export const a = http;' },
  {
    rule: "client-is-pure",
    file: "packages/client/src/a.ts",
    code: 'import { other } from "../../../src/host/other.ts"; export const a = other;',
    also: { "src/host/other.ts": other },
  },
  {
    rule: "client-is-pure",
    file: "packages/client/src/a.ts",
    code: 'export const a = () => import("../../../src/features/f/other.ts");',
    also: { "src/features/f/other.ts": other },
  },
  {
    rule: "client-is-pure",
    file: "packages/client/src/a.ts",
    code: 'import { other } from "@finality/node/other"; export const a = other;',
    also: { "packages/node/src/other.ts": other },
  },
  {
    rule: "one-http-server",
    file: "src/host/outside/a.ts",
    code: 'import { createServer } from "node:http"; export const a = createServer;',
  },
  {
    rule: "node-has-no-editor",
    file: "packages/node/src/a.ts",
    code: 'import type { Uri } from "vscode"; export type A = Uri;',
  },
  {
    rule: "node-has-no-editor",
    file: "packages/node/src/a.ts",
    code: 'import { other } from "../../../src/host/other.ts"; export const a = other;',
    also: { "src/host/other.ts": other },
  },
  {
    rule: "tron-is-a-codec",
    file: "packages/tron/src/a.ts",
    code: 'import { request } from "undici"; export const a = request;',
  },
  {
    rule: "packages-by-name",
    file: "packages/client/src/a.ts",
    code: 'import { other } from "../../tron/src/other.ts"; export const a = other;',
    also: { "packages/tron/src/other.ts": other },
  },
  {
    rule: "host-implements-ports",
    file: "src/host/a.ts",
    code: 'import { other } from "../features/f/other.ts"; export const a = other;',
    also: { "src/features/f/other.ts": other },
  },
  {
    rule: "host-implements-ports",
    file: "src/host/a.ts",
    code: 'import { other } from "../sending/other.ts"; export const a = other;',
    also: { "src/sending/other.ts": other },
  },
  {
    rule: "sending-knows-no-feature",
    file: "src/sending/a.ts",
    code: 'import type { Other } from "../features/f/other.ts"; export type A = Other;',
    also: { "src/features/f/other.ts": other },
  },
  {
    rule: "views-are-pure",
    file: "src/features/f/a.view.ts",
    code: 'import { other } from "@finality/node/other"; export const a = other;',
    also: { "packages/node/src/other.ts": other },
  },
  {
    rule: "views-are-pure",
    file: "src/features/f/a.view.ts",
    code: 'import type { Other } from "../../sending/other.ts"; export type A = Other;',
    also: { "src/sending/other.ts": other },
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
    file: "packages/local-chain/src/a.ts",
    code: 'import { other } from "@finality/client/gateway/other"; export const a = other;',
    also: { "packages/client/src/gateway/other.ts": other },
  },
  {
    rule: "local-chain-is-independent",
    file: "packages/local-chain/src/a.ts",
    code: 'import type { Other } from "@finality/tron/errors/other"; export type A = Other;',
    also: { "packages/tron/src/errors/other.ts": other },
  },
  {
    rule: "local-chain-is-independent",
    file: "packages/local-chain/src/a.ts",
    code: 'import { other } from "@finality/tron/format/other"; export const a = other;',
    also: { "packages/tron/src/format/other.ts": other },
  },
  {
    rule: "cli-implements-ports",
    file: "packages/cli/src/a.ts",
    code: 'import type { Uri } from "vscode"; export type A = Uri;',
  },
  {
    rule: "cli-implements-ports",
    file: "packages/cli/src/a.ts",
    code: 'import { other } from "../../../src/host/other.ts"; export const a = other;',
    also: { "src/host/other.ts": other },
  },
  {
    rule: "cli-implements-ports",
    file: "packages/cli/src/a.ts",
    code: 'export const a = () => import("../../../src/sending/other.ts");',
    also: { "src/sending/other.ts": other },
  },
  {
    rule: "agent-tools-know-ports",
    file: "packages/agent-tools/src/a.ts",
    code: 'import { request } from "undici"; export const a = request;',
  },
  {
    rule: "agent-tools-know-ports",
    file: "packages/agent-tools/src/a.ts",
    code: 'import { other } from "../../../src/host/other.ts"; export const a = other;',
    also: { "src/host/other.ts": other },
  },
  {
    rule: "postgres-implements-run-store",
    file: "packages/postgres/src/a.ts",
    code: 'import { request } from "undici"; export const a = request;',
  },
  {
    rule: "postgres-implements-run-store",
    file: "packages/postgres/src/a.ts",
    code: 'import { other } from "../../../src/host/other.ts"; export const a = other;',
    also: { "src/host/other.ts": other },
  },
  {
    rule: "api-is-types",
    file: "packages/api/src/a.ts",
    code: 'import type { Other } from "@finality/tron/other"; export type A = Other;',
    also: { "packages/tron/src/other.ts": other },
  },
  {
    rule: "tools-reach-no-signer",
    file: "packages/cli/src/agent-ports.ts",
    code: 'import { step } from "./step.ts"; export const a = step;',
    also: {
      "packages/cli/src/step.ts": 'export const step = () => import("./key-source.ts");',
      "packages/cli/src/key-source.ts": other,
    },
  },
  {
    rule: "tools-reach-no-signer",
    file: "src/features/agents/language-tools.ts",
    code: 'import { step } from "../../host/step.ts"; export const a = step;',
    also: {
      "src/host/step.ts": 'import type { Other } from "./secrets/other.ts"; export const step = (it: Other) => it;',
      "src/host/secrets/other.ts": other,
    },
  },
  {
    rule: "local-chain-is-a-bundle-of-its-own",
    file: "src/features/f/a.ts",
    code: 'import { other } from "@finality/local-chain/main"; export const a = other;',
    also: { "packages/local-chain/src/main.ts": other },
  },
  {
    rule: "local-chain-is-a-bundle-of-its-own",
    file: "src/features/f/a.ts",
    code: 'export const a = () => import("@finality/local-chain/main");',
    also: { "packages/local-chain/src/main.ts": other },
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
    code: 'import { other } from "@finality/client/other"; export type A = typeof other;',
    also: { "packages/client/src/other.ts": other },
  },
  {
    rule: "no-circles-of-folders",
    file: "packages/client/src/a/a.ts",
    code: 'import { other } from "../b/other.ts"; export const a = other;',
    also: {
      "packages/client/src/b/other.ts": other,
      "packages/client/src/b/back.ts": 'import { own } from "../a/own.ts"; export const back = own;',
      "packages/client/src/a/own.ts": "export const own = 1;",
    },
  },
  {
    rule: "no-circles-of-folders",
    file: "packages/local-chain/src/a/a.ts",
    code: 'import { other } from "../b/other.ts"; export const a = other;',
    also: {
      "packages/local-chain/src/b/other.ts": other,
      "packages/local-chain/src/b/back.ts": 'import { own } from "../a/own.ts"; export const back = own;',
      "packages/local-chain/src/a/own.ts": "export const own = 1;",
    },
  },
  {
    rule: "no-cycles",
    file: "packages/client/src/aa.ts",
    code: 'import type { B } from "./b.ts"; export type A = B;',
    also: { "packages/client/src/b.ts": 'import type { A } from "./aa.ts"; export type B = A | number;' },
  },
  { rule: "no-orphans", file: "packages/client/src/a.ts", code: "export const a = 1;" },
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

/** Permitted imports that resemble forbidden ones. */
const permitted: readonly Omit<Violation, "rule">[] = [
  {
    file: "src/features/f/a.ts",
    code: 'import type { Other } from "@finality/local-chain/main"; export type A = Other;',
    also: { "packages/local-chain/src/main.ts": other },
  },
  {
    file: "packages/cli/src/a.ts",
    code: 'import { other } from "@finality/node/other"; export const a = other;',
    also: { "packages/node/src/other.ts": other },
  },
  {
    file: "packages/cli/src/a.ts",
    code: 'export const a = () => import("@finality/local-chain/main");',
    also: { "packages/local-chain/src/main.ts": other },
  },
  {
    file: "src/features/f/a.ts",
    code: 'import type { Uri } from "vscode"; export const a = (_: Uri) => import("@finality/client/other");',
    also: { "packages/client/src/other.ts": other },
  },
  {
    file: "packages/client/src/a.ts",
    code: 'import { hash } from "node:crypto"; import { request } from "undici"; export const a = [hash, request];',
  },
  {
    file: "packages/client/src/a.ts",
    code: 'import { other } from "@finality/tron/format/other"; export const a = other;',
    also: {
      "packages/tron/src/format/other.ts": 'import { own } from "../primitives/own.ts"; export const other = own;',
      "packages/tron/src/primitives/own.ts": "export const own = 1;",
    },
  },
  {
    file: "packages/local-chain/src/a.ts",
    code: 'import { createServer } from "node:http"; import { other } from "@finality/tron/primitives/other"; export const a = [createServer, other];',
    also: { "packages/tron/src/primitives/other.ts": other },
  },
];

/** The paths and contents of a project. */
type Tree = Map<string, string>;

/** Adds an example to the first tree in which no file has other content. `a.ts` gets a name of its own. */
function addTo(trees: Tree[], { file, code, also = {} }: Omit<Violation, "rule">, index: number) {
  const own = file.replace(/\/a\.(?=\w)/, `/a${index}.`);
  const files = Object.entries({ ...also, [own]: `${code}\n` });
  let tree = trees.find((it) => !it.has(own) && files.every(([path, text]) => (it.get(path) ?? text) === text));
  if (tree === undefined) {
    tree = new Map();
    trees.push(tree);
  }
  for (const [path, text] of files) tree.set(path, text);
  return { tree, own };
}

/** Returns "rule: file" for each violation in a tree. */
async function violationsIn(files: Tree): Promise<readonly string[]> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const tree = mkdtempSync(join(root, ".cache", "import-rules-"));
  try {
    for (const name of ["package.json", "tsconfig.json"]) symlinkSync(join(root, name), join(tree, name));
    // Every other package is found in the folders above.
    mkdirSync(join(tree, "node_modules", "@finality"), { recursive: true });
    for (const name of ["tron", "client", "node", "local-chain", "agent-tools", "cli"]) {
      mkdirSync(join(tree, "packages", name), { recursive: true });
      symlinkSync(join(tree, "packages", name), join(tree, "node_modules", "@finality", name));
      const { dependencies } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
      const manifest = { name: `@finality/${name}`, type: "module", exports: { "./*": "./src/*.ts" }, dependencies };
      writeFileSync(join(tree, "packages", name, "package.json"), JSON.stringify(manifest));
    }
    for (const [path, text] of files) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const { violations, unseen } = await findImportViolations(tree);
    assert.deepEqual(unseen, []);
    return violations.map(({ rule, from }) => `${rule}: ${from}`);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

describe("import rules", () => {
  it("report each import that a rule forbids, and no permitted one", async () => {
    const examples: readonly (Omit<Violation, "rule"> & { readonly rule?: string })[] = [...forbidden, ...permitted];
    const trees: Tree[] = [];
    const added = examples.map((example, index) => ({ ...example, ...addTo(trees, example, index) }));

    const found = new Map<Tree, readonly string[]>();
    for (const tree of trees) found.set(tree, await violationsIn(tree));

    for (const { rule, own, code, tree } of added) {
      // A circle is reported for a folder.
      const from = rule === "no-circles-of-folders" ? dirname(own) : own;
      const rules = (found.get(tree) ?? []).filter((it) => it.endsWith(`: ${from}`));
      assert.deepEqual([...new Set(rules)], rule === undefined ? [] : [`${rule}: ${from}`], code);
    }
  });
});
