import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

describe("the package", () => {
  it("ships what package-contents.txt lists, and nothing else", function () {
    this.timeout(120_000);
    const expected = readFileSync(join(import.meta.dirname, "package-contents.txt"), "utf8")
      .trim()
      .split("\n");

    const vsce = join(root, "node_modules", ".bin", "vsce");
    const files = execFileSync(vsce, ["ls", "--no-dependencies"], { cwd: root, encoding: "utf8" }).trim().split("\n");

    // Which lazy parts there are, and what they share, is the affair of the bundler and of bundles.test.ts.
    const stable = files.map((file) => file.replace(/^dist\/(local-chain-)?parts\/[\w.-]+\.js$/, "dist/$1parts/*.js"));
    assert.deepEqual([...new Set(stable)].sort(), expected.sort());
  });
});
