import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "@vscode/vsce";

const root = join(import.meta.dirname, "..", "..");

describe("the package", () => {
  it("ships what package-contents.txt lists, and nothing else", async () => {
    const expected = readFileSync(join(import.meta.dirname, "package-contents.txt"), "utf8")
      .trim()
      .split("\n");

    const files = await listFiles({ cwd: root, packageManager: 0 });

    // Shared pieces are named by a hash of their content, and how many there are is the bundler's affair.
    const stable = files.map((file) => file.replace(/shared-[A-Z0-9]+\.js$/, "shared-*.js"));
    assert.deepEqual([...new Set(stable)].sort(), expected.sort());
  });
});
