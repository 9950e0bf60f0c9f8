import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildCliIfStale } from "../../../scripts/build/cli.mjs";

const root = join(import.meta.dirname, "..", "..", "..");

describe("bundled command line", () => {
  let folder: string;
  let program: string;

  before(async function () {
    this.timeout(60_000);
    folder = mkdtempSync(join(tmpdir(), "finality-cli-"));
    program = join(folder, "finality.cjs");
    copyFileSync(await buildCliIfStale(root), program);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it("explains a file of the current folder, with Node alone", () => {
    writeFileSync(join(folder, "build.log"), "Error: REVERT opcode executed\n");

    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "explain", "build.log", "--json"], {
      cwd: folder,
      env: { INIT_CWD: root },
      encoding: "utf8",
    });

    assert.deepEqual([status, stderr], [0, ""]);
    assert.equal(JSON.parse(stdout).result.whole.code, "REVERT");
  });

  it("waits for standard input of a program that is slow", async () => {
    const child = spawn(process.execPath, [program, "explain", "--json"], { stdio: ["pipe", "pipe", "inherit"] });
    const output = text(child.stdout);
    child.stdin.write("Error: REVERT ");
    setImmediate(() => child.stdin.end("opcode executed\n"));

    assert.equal(JSON.parse(await output).result.whole.code, "REVERT");
  });
});
