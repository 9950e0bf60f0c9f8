import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { FolderLock } from "../../src/data/folder-lock.ts";

const TWO_MINUTES_S = 120;
const RENEWAL_MS = 5_000;
const CHAIN = { baseUrl: "http://127.0.0.1:9471", chain: "c".repeat(40) };

describe("FolderLock", () => {
  let folder: string;
  let held: FolderLock[];

  beforeEach(() => {
    mock.timers.enable({ apis: ["setInterval"] });
    folder = mkdtempSync(join(tmpdir(), "finality-lock-"));
    held = [];
  });

  afterEach(() => {
    for (const lock of held) lock.release();
    mock.timers.reset();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (): string => join(folder, "lock");
  const content = () => JSON.parse(readFileSync(file(), "utf8"));

  function take(): FolderLock {
    const lock = new FolderLock(folder);
    held.push(lock);
    return lock;
  }

  /** Writes the lock of a process that did not release it. */
  function leave(pid: number, ageS = 0): void {
    writeFileSync(file(), JSON.stringify({ pid, ...CHAIN }));
    const at = Date.now() / 1_000 - ageS;
    utimesSync(file(), at, at);
  }

  it("names the process and the URL of the chain, and is readable by its owner only", () => {
    take().announce(CHAIN);

    const { pid, baseUrl, chain } = content();
    assert.deepEqual([pid, baseUrl, chain], [process.pid, CHAIN.baseUrl, CHAIN.chain]);
    assert.equal(statSync(file()).mode & 0o077, 0);
  });

  it("refuses a folder in use, with the URL of its chain", () => {
    leave(process.pid);

    assert.throws(take, (error: Error) => error.message.includes(CHAIN.baseUrl) && /local\/stop/.test(error.message));
  });

  it("takes over the lock of a process that has ended", () => {
    leave(spawnSync(process.execPath, ["--version"]).pid);

    assert.equal(take().isTakenOver, true);
    assert.equal(content().pid, process.pid);
  });

  it("takes over an old lock although another process has its ID", () => {
    leave(process.pid, TWO_MINUTES_S);

    assert.equal(take().isTakenOver, true);
  });

  it("takes over an empty lock once it is old", () => {
    writeFileSync(file(), "");
    assert.throws(take, /Try again/);
    const at = Date.now() / 1_000 - TWO_MINUTES_S;
    utimesSync(file(), at, at);

    assert.equal(take().isTakenOver, true);
  });

  it("renews the time of its lock", () => {
    take();
    const past = Date.now() / 1_000 - TWO_MINUTES_S;
    utimesSync(file(), past, past);

    mock.timers.tick(RENEWAL_MS);

    assert.ok(statSync(file()).mtimeMs > (past + 1) * 1_000);
  });

  it("reports once that the folder was deleted or taken, and leaves the lock of the other process", () => {
    const lock = take();
    let losses = 0;
    lock.onLost(() => losses++);
    writeFileSync(file(), JSON.stringify({ pid: 1 }));

    mock.timers.tick(RENEWAL_MS);
    mock.timers.tick(RENEWAL_MS);
    lock.release();

    assert.equal(losses, 1);
    assert.equal(content().pid, 1);
  });
});
