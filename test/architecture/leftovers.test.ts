import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySamples } from "../support/samples/copy-samples.ts";

const root = join(import.meta.dirname, "..", "..");
const committed = execFileSync("git", ["ls-files", "samples"], { cwd: root, encoding: "utf8" }).trim().split("\n");

describe("tests and leftovers", () => {
  let scratch: string;

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), "finality-leftovers-"));
  });

  afterEach(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  it("S1: copies the committed samples only when an earlier `npm start` deployed them", () => {
    const used = join(scratch, "used");
    const copy = join(scratch, "copy");
    for (const file of committed) cpSync(join(root, file), join(used, file.slice("samples/".length)));
    mkdirSync(join(used, "deployments"));
    writeFileSync(join(used, "deployments", "local.json"), "{}");

    copySamples(used, copy);

    const copied = globSync("**/*.*", { cwd: copy }).map((file) => `samples/${file}`);
    assert.deepEqual(copied.sort(), committed.sort());
  });

  it("S1: copies samples in one place", () => {
    const files = globSync("test/**/*.ts", { cwd: root, exclude: ["test/support/samples/copy-samples.ts"] });
    const copying = files.filter((file) =>
      /cpSync\([^)]*(samples|SAMPLES)/.test(readFileSync(join(root, file), "utf8")),
    );

    assert.ok(files.length > 500);
    assert.deepEqual(copying, []);
  });
});
