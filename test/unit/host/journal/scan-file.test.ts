import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ScanFile } from "../../../../src/host/journal/scan-file.ts";

describe("ScanFile", () => {
  let folder: string;
  const reported: unknown[] = [];
  const open = (): ScanFile => new ScanFile(folder, (error) => reported.push(error));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-scans-"));
    reported.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("returns the lines of each network", async () => {
    await open().begin("A/..", ["one"]);
    await open().append("A/..", "two");
    await open().begin("B", ["other"]);

    assert.deepEqual(await open().load("A/.."), ["one", "two"]);
    assert.deepEqual(await open().load("C"), []);
    assert.deepEqual(reported, []);
  });

  it("deletes the file of a finished scan", async () => {
    await open().begin("A", ["one"]);
    await open().begin("A", []);

    assert.deepEqual(await readdir(join(folder, "scans")), []);
  });

  it("reports a write error and continues", async () => {
    await writeFile(join(folder, "scans"), "a file where the folder should be");

    await open().begin("A", ["one"]);

    assert.equal(reported.length, 1);
  });
});
