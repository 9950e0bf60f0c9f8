import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PinFile } from "../../src/storage/pin-file.ts";

describe("PinFile", () => {
  let folder: string;
  const reported: unknown[] = [];
  const pins = (): PinFile => new PinFile(join(folder, "storage", "pins.jsonl"), (error) => reported.push(error));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-pins-"));
    reported.length = 0;
  });

  afterEach(async () => rm(folder, { recursive: true }));

  it("keeps the first value for all windows and restarts", async () => {
    const window = pins();
    assert.equal(await window.pin("url", "first"), "first");
    assert.equal(await window.pin("url", "second"), "first");

    const next = pins();
    assert.equal(next.get("url"), undefined);
    assert.equal(await next.pin("url", "third"), "first");
    assert.equal(next.get("url"), "first");
  });

  it("keeps the first line when windows pin at the same time", async () => {
    const windows = Array.from({ length: 8 }, pins);
    const counted = await Promise.all(windows.map((it, index) => it.pin("url", `window ${index}`)));

    await Promise.all(windows.map((it) => it.read()));
    assert.equal(new Set(windows.map((it) => it.get("url"))).size, 1);
    assert.ok(counted.includes(windows[0]?.get("url") ?? ""));
  });

  it("replaces only the expected value", async () => {
    const window = pins();
    await window.pin("url", "first");

    assert.equal(await window.replace("url", "first", "second"), "second");
    assert.equal(await window.replace("url", "first", "third"), "second");
    assert.equal(await pins().pin("url", "fourth"), "second");
  });

  it("reads past torn and foreign lines", async () => {
    await pins().pin("one", "1");
    const file = join(folder, "storage", "pins.jsonl");
    await appendFile(file, '{"key":"torn","val');
    await pins().pin("two", "2");
    await appendFile(file, '[1]\n{"key":7,"value":"x"}\n');

    const window = pins();
    await window.read();
    assert.deepEqual([window.get("one"), window.get("two"), window.get("torn")], ["1", "2", undefined]);
    assert.doesNotMatch(await readFile(file, "utf8"), /x"}{/);
  });

  it("continues with the values of this window when the file cannot be used, and reports it", async () => {
    await writeFile(join(folder, "storage"), "a file where the folder should be");
    const window = pins();

    assert.equal(await window.pin("url", "first"), "first");
    assert.equal(await window.pin("url", "second"), "first");
    assert.ok(reported.length > 0);
  });
});
