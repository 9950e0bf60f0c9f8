import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findCompiler, foldersUpTo } from "../../../../src/host/compiler/find-compiler.ts";

describe("search for the compiler of a build", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "finality-compilers-"));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const put = (path: string, text = ""): string => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const find = (version: string | undefined) => findCompiler([join(home, "project")], version, home)?.path;

  it("takes the package solc of the workspace if it has the release", () => {
    put("project/node_modules/solc/package.json", `{ "version": "0.8.24" }`);
    assert.equal(find("0.8.24+commit.e11b9ed9"), join(home, "project/node_modules/solc/soljson.js"));
    assert.equal(find("0.8.25"), undefined);
  });

  it("looks into the caches of Hardhat, Foundry and TronBox", () => {
    const hardhat = put(".cache/hardhat-nodejs/compilers-v2/wasm/soljson-v0.8.20+commit.a1b79de6.js");
    const foundry = put(".svm/0.8.21/solc-0.8.21");
    const tronBox = put(".tronbox/solc/soljson_v0.8.22.js");
    assert.deepEqual([find("0.8.20"), find("0.8.21"), find("0.8.22")], [hardhat, foundry, tronBox]);
  });

  it("prefers the build with the same commit, because TRON has builds of its own", () => {
    put(".cache/hardhat-nodejs/compilers-v2/wasm/soljson-v0.8.20+commit.a1b79de6.js");
    const own = put(".cache/hardhat-nodejs/compilers-v2/wasm/tron-solc/soljson-v0.8.20+commit.5f1834bc.js");
    assert.equal(find("0.8.20+commit.5f1834bc"), own);
  });

  it("looks in the folders above the artifact, up to that of the workspace", () => {
    const root = join(home, "project");
    assert.deepEqual(foldersUpTo(join(root, "app", "out"), root), [join(root, "app", "out"), join(root, "app"), root]);
  });
});
