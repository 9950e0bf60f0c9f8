import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppendLog } from "../../src/storage/append-log.ts";
import { linesOf } from "../../src/storage/durable-file.ts";

describe("AppendLog", () => {
  let folder: string;
  const logs: AppendLog[] = [];
  const open = async (): Promise<AppendLog> => {
    const log = new AppendLog(join(folder, "storage", "lines.jsonl"));
    logs.push(log);
    await log.open();
    return log;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-log-"));
  });

  afterEach(async () => {
    for (const log of logs.splice(0)) {
      log.stopFollowing();
      await log.close();
    }
    await rm(folder, { recursive: true });
  });

  it("reads the lines that any window appended since the last read", async () => {
    const [one, other] = [await open(), await open()];
    assert.equal(await one.append(["a"]), true);
    assert.deepEqual(linesOf((await other.readNew()) ?? ""), ["a"]);
    await other.append(["b", "c"]);
    await one.append(["d"]);

    assert.deepEqual(linesOf((await other.readNew()) ?? ""), ["b", "c", "d"]);
    assert.equal(await other.readNew(), "");
  });

  it("returns an incomplete line when it is complete, and keeps it apart from the next append", async () => {
    const log = await open();
    await log.append(["a"]);
    await appendFile(log.file, "tor");
    assert.deepEqual(linesOf((await log.readNew()) ?? ""), ["a"]);
    assert.deepEqual(await readAll(log), { pieces: ["\na\n"], incomplete: "tor" });

    await log.append(["b"]);

    assert.deepEqual(linesOf((await log.readNew()) ?? ""), ["tor", "b"]);
  });

  it("reads a long file in pieces of whole lines", async () => {
    const log = await open();
    const lines = Array.from({ length: 9_000 }, (_, at) => `${at} ${"é".repeat(at % 60)}`);
    lines.splice(4_000, 0, "long ".repeat(200_000));
    await log.append(lines);
    await appendFile(log.file, "tor");

    const { pieces, incomplete } = await readAll(log);

    assert.ok(pieces.length > 2);
    assert.ok(pieces.every((it) => it.endsWith("\n")));
    assert.deepEqual([linesOf(pieces.join("")), incomplete], [lines, "tor"]);
    assert.equal(await log.readNew(), "");
  });

  it("reports a replaced file with the text of the previous one, and reads from its start", async () => {
    const log = await open();
    await log.append(["a"]);
    await log.readNew();
    await writeFile(`${log.file}.copy`, "other\n");
    await rename(`${log.file}.copy`, log.file);

    assert.equal(await log.append(["b"]), false);
    assert.deepEqual(await log.open(), { kind: "replaced", previous: "\na\n\nb\n" });
    assert.deepEqual(linesOf((await log.readNew()) ?? ""), ["other"]);
  });

  it("reports a file that was emptied, also if an append made it larger than before", async () => {
    const log = await open();
    await log.append(["a"]);
    await truncate(log.file);
    assert.equal((await log.open())?.kind, "cut");

    await log.append(["a"]);
    await truncate(log.file);
    assert.equal(await log.append(["a longer line"]), false);
    assert.equal((await log.open())?.kind, "cut");
    assert.equal(await log.open(), undefined);
  });

  it("notices that the last line read is no longer at its position, and starts over", async () => {
    const log = await open();
    await log.append(["a", "b"]);
    await log.readNew();
    await writeFile(log.file, "other lines, as many bytes\n");

    assert.equal(await log.open(), undefined);
    assert.equal(await log.readNew(), undefined);
    assert.equal(await log.readNew(), "other lines, as many bytes\n");
  });

  it("replaces the lines read so far, and copies those that another window appended meanwhile", async () => {
    const [one, other] = [await open(), await open()];
    await one.append(["a", "b", "c"]);
    await one.readNew();
    await other.append(["late"]);

    await one.replace(["abc"]);

    assert.deepEqual(linesOf(await readFile(one.file, "utf8")), ["abc", "late"]);
    assert.equal((await one.open())?.kind, "replaced");
    assert.equal((await other.open())?.kind, "replaced");
  });

  it("leaves the file alone if another window replaced it", async () => {
    const [one, other] = [await open(), await open()];
    await one.append(["a"]);
    await other.readNew();
    await other.replace(["new"]);

    await one.replace(["old"]);

    assert.deepEqual(linesOf(await readFile(one.file, "utf8")), ["new"]);
  });
});

async function readAll(log: AppendLog): Promise<{ readonly pieces: readonly string[]; readonly incomplete: string }> {
  const pieces: string[] = [];
  const incomplete = await log.readAll((text) => pieces.push(text));
  return { pieces, incomplete };
}
