import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages } from "../../scripts/package/bundled-packages.mjs";
import { packedOnce, timeOfSources } from "../../scripts/package/pack.mjs";
import { thirdPartyNotices } from "../../scripts/package/third-party-notices.mjs";
import { copySources, packIn } from "../support/workbench/pack-in-copy.ts";

const root = join(import.meta.dirname, "..", "..");

describe("packaged extension", () => {
  it("contains exactly the files of package-contents.txt", function () {
    this.timeout(600_000);
    const expected = readFileSync(join(import.meta.dirname, "package-contents.txt"), "utf8")
      .trim()
      .split("\n");

    const vsce = join(root, "node_modules", ".bin", "vsce");
    const files = execFileSync(vsce, ["ls", "--no-dependencies"], { cwd: root, encoding: "utf8" }).trim().split("\n");

    // The bundler names the lazy parts.
    const stable = files.map((file) => file.replace(/^dist\/(local-chain-)?parts\/[\w.-]+\.js$/, "dist/$1parts/*.js"));
    assert.deepEqual([...new Set(stable)].sort(), expected.sort());
  });

  it("includes the full licence of every bundled package, and no other", () => {
    const packages = bundledPackages(root);

    assert.equal(readFileSync(join(root, "THIRD-PARTY-NOTICES.md"), "utf8"), thirdPartyNotices(packages));
    assert.ok(packages.length > 10, `only ${packages.length} packages were seen`);
    for (const { name, text } of packages) assert.ok(text.length > 500, `${name} has no licence text`);
  });

  it("is byte-identical when built in another folder and time zone, and has at most 2.2 MB", async function () {
    this.timeout(600_000);
    const here = readFileSync(await packedOnce(root));
    const folder = copySources();
    try {
      const there = readFileSync(packIn(folder, { zone: "Asia/Shanghai", umask: "077", time: timeOfSources(root) }));

      assert.ok(here.equals(there), "two packages differ; was this one built since the sources changed?");
      assert.ok(here.length > 100_000 && here.length <= 2_200_000, `${here.length} bytes`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
