import assert from "node:assert/strict";
import { ChangedFiles, ComparisonSchedule } from "../../../../src/host/artifacts/artifact-changes.ts";
import { FakeClock, settled } from "../../../support/fakes/fake-clock.ts";

const NOW = 1_000_000;
const LONG_AGO = 10_000;
const WORKSPACE = "/home/someone/tea";

/** A `Uri` of VS Code: equal values are different objects. */
interface FakeUri {
  readonly path: string;
  toString(): string;
}

const at = (name: string): FakeUri => ({ path: `${WORKSPACE}/${name}`, toString: () => `file://${WORKSPACE}/${name}` });
const nameOf = ({ path }: FakeUri): string => path.slice(WORKSPACE.length + 1);

describe("ChangedFiles", () => {
  /** Modification times by name. */
  let disk: Map<string, number>;
  /** Search results, one list per glob. */
  let lists: () => readonly (readonly string[])[];
  let statted: string[];
  let closing: AbortController;
  let files: ChangedFiles<FakeUri>;

  beforeEach(() => {
    disk = new Map();
    lists = () => [[...disk.keys()]];
    statted = [];
    closing = new AbortController();
    files = new ChangedFiles<FakeUri>({
      search: async function* () {
        for (const names of lists()) yield names.map(at);
      },
      nameOf,
      timesOf: async (uri) => {
        statted.push(nameOf(uri));
        const mtime = disk.get(nameOf(uri));
        assert.ok(mtime !== undefined, "it does not exist");
        return { stamp: String(mtime), mtime };
      },
      now: () => NOW,
      closed: closing.signal,
    });
  });

  /** Returns and removes the pending files. */
  const taken = (): readonly string[] => (files.hasPending() ? [...files.takePending()].map(nameOf) : []);

  function write(name: string, mtime = LONG_AGO): void {
    disk.set(name, mtime);
  }

  /** Marks all pending files as read. */
  function read(): void {
    for (const name of taken()) {
      const mtime = disk.get(name);
      if (mtime === undefined) files.forget(name);
      else files.remember(name, { uri: at(name), stamp: String(mtime) });
    }
  }

  async function writeAndRead(...names: readonly string[]): Promise<void> {
    for (const name of names) write(name);
    await files.compare();
    read();
  }

  it("queues every file at first", async () => {
    write("build/Cup.json");
    write("build/Pot.json");
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json", "build/Pot.json"]);
    assert.deepEqual(taken(), []);
  });

  it("does not queue an unchanged file", async () => {
    await writeAndRead("build/Cup.json");

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
  });

  it("stats each file once per comparison", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json");
    statted.length = 0;
    await files.compare();

    assert.deepEqual(statted, ["build/Cup.json", "build/Pot.json"]);
  });

  it("queues a file with another modification time, also an older one", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json", "build/Tea.json");
    write("build/Cup.json", LONG_AGO - 1);
    write("build/Pot.json", LONG_AGO + 1);
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json", "build/Pot.json"]);
  });

  it("queues a deleted file until it is forgotten", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json");
    disk.delete("build/Cup.json");
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json"]);
    read();
    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), ["build/Cup.json"], "queued until forgotten");
  });

  it("combines the results of all globs", async () => {
    write("build/Cup.json");
    lists = () => [["build/Cup.json"], ["build/Cup.json"]];
    await files.compare();
    assert.deepEqual(taken(), ["build/Cup.json"]);

    lists = () => [["build/Cup.json"], ["out/Pot.json"]];
    await writeAndRead("build/Cup.json", "out/Pot.json");
    await files.compare();
    assert.deepEqual(taken(), []);
  });

  it("queues a known file outside of the search results only when it changed", async () => {
    await writeAndRead("build/Cup.json");
    lists = () => [];

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
    write("build/Cup.json", LONG_AGO + 1);
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json"]);
  });

  it("reports a change that a watcher missed for more than 2 s", async () => {
    await writeAndRead("build/Cup.json");
    write("build/Cup.json", NOW - 2_000);
    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), ["build/Cup.json"]);

    write("build/Cup.json", NOW - 2_001);
    assert.equal(await files.compare(), true);
  });

  it("reports a missed change among several files", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json", "build/Tea.json");
    write("build/Cup.json", NOW);
    write("build/Pot.json", NOW - 5_000);
    write("build/Tea.json", NOW);

    assert.equal(await files.compare(), true);
    assert.deepEqual(taken(), ["build/Cup.json", "build/Pot.json", "build/Tea.json"]);
  });

  it("reports no missed change for a queued file", async () => {
    await writeAndRead("build/Cup.json");
    write("build/Cup.json", NOW - 5_000);
    files.expect(at("build/Cup.json"));

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), ["build/Cup.json"]);
  });

  it("ignores a file that disappears during the comparison", async () => {
    lists = () => [["build/Never.json"]];

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
  });

  it("compares nothing after it was closed", async () => {
    write("build/Cup.json");
    closing.abort();

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
  });

  it("queues all files of a deleted folder", async () => {
    await writeAndRead("packages/a/build/Cup.json", "packages/a/build/deep/Pot.json", "packages/b/build/Tea.json");
    files.expectGone(at("packages/a"));

    assert.deepEqual(taken(), ["packages/a/build/Cup.json", "packages/a/build/deep/Pot.json"]);
    assert.deepEqual(taken(), []);
  });

  it("does not queue files of a folder with a similar name", async () => {
    await writeAndRead("packages/ab/Cup.json", "build/packages/a/Pot.json");
    files.expectGone(at("packages/a"));
    files.expectGone(at("packages/ab/Cup"));

    assert.deepEqual(taken(), []);
  });

  it("returns files that are queued during the iteration", () => {
    files.expect(at("build/Cup.json"));
    const reading = files.takePending();

    assert.equal(reading.next().value?.path, at("build/Cup.json").path);
    files.expect(at("build/Pot.json"));
    assert.deepEqual([...reading].map(nameOf), ["build/Pot.json"]);
  });

  it("stopReading clears the queue and keeps known files", async () => {
    await writeAndRead("build/Cup.json");
    files.expect(at("build/Pot.json"));
    files.expectGone(at("build"));
    files.stopReading();

    assert.deepEqual(taken(), []);
    assert.equal(files.known("build/Cup.json")?.stamp, String(LONG_AGO));
  });

  it("clear forgets all files", async () => {
    await writeAndRead("build/Cup.json");
    files.expect(at("build/Pot.json"));
    files.clear();

    assert.equal(files.known("build/Cup.json"), undefined);
    assert.deepEqual(taken(), []);
    await files.compare();
    assert.deepEqual(taken(), ["build/Cup.json"]);
  });
});

/** Result of a comparison; available at once unless a test delays it. */
type Finds = () => boolean | Promise<boolean>;

describe("ComparisonSchedule", () => {
  let clock: FakeClock;
  let schedule: ComparisonSchedule;
  let finds: Finds;
  let started: number;
  let times: number[];
  let failures: unknown[];

  beforeEach(() => {
    clock = new FakeClock();
    started = clock.now();
    times = [];
    failures = [];
    finds = () => false;
    schedule = new ComparisonSchedule({
      clock,
      compare: async () => {
        times.push((clock.now() - started) / 1_000);
        return await finds();
      },
      failed: (error) => failures.push(error),
    });
  });

  afterEach(() => schedule.dispose());

  const pass = (seconds: number): Promise<void> => clock.advance(seconds * 1_000);

  /** Runs the schedule for 30 s, between the comparisons at 20 s and 80 s, and clears the times. */
  async function passHalfAMinute(): Promise<void> {
    schedule.restart();
    await pass(30);
    times.length = 0;
  }

  it("compares after 1, 4, 15 and 60 s", async () => {
    schedule.restart();
    await pass(80);

    assert.deepEqual(times, [1, 5, 20, 80]);
  });

  it("then compares every minute", async () => {
    schedule.restart();
    await pass(20);
    times.length = 0;
    await pass(240);

    assert.deepEqual(times, [80, 140, 200, 260]);
  });

  it("measures intervals from the end of a comparison", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    finds = () => promise;
    schedule.restart();
    await pass(30);
    resolve(false);
    await pass(4);

    assert.deepEqual(times, [1, 34]);
  });

  it("does not compare before it was started", async () => {
    schedule.folderMade();
    await pass(100);

    assert.deepEqual(times, []);
  });

  it("compares 0.5 s after a folder was created, then restarts the intervals", async () => {
    await passHalfAMinute();
    schedule.folderMade();
    await pass(80);

    assert.deepEqual(times, [30.5, 34.5, 49.5, 109.5]);
  });

  it("compares once for several new folders", async () => {
    await passHalfAMinute();
    for (let made = 0; made < 4; made++) {
      schedule.folderMade();
      await pass(0.1);
    }
    await pass(3);

    assert.deepEqual(times, [30.5]);
  });

  it("compares again for a folder that was created after a comparison", async () => {
    await passHalfAMinute();
    schedule.folderMade();
    await pass(0.6);
    schedule.folderMade();
    await pass(0.5);

    assert.deepEqual(times, [30.5, 31.1]);
  });

  it("compares again for a folder that was created during a comparison", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    schedule.restart();
    await pass(19);
    finds = () => promise;
    await pass(2);
    schedule.folderMade();
    resolve(false);
    await pass(0.5);

    assert.deepEqual(times, [1, 5, 20, 21.5]);
  });

  it("compares every 5 s after a change that no watcher reported", async () => {
    schedule.restart();
    await pass(3);
    finds = () => true;
    await pass(2);
    finds = () => false;
    times.length = 0;
    await pass(20);

    assert.deepEqual(times, [10, 15, 20, 25]);
  });

  it("keeps comparing every 5 s when a folder is created", async () => {
    finds = () => true;
    schedule.restart();
    await pass(9);
    times.length = 0;
    schedule.folderMade();
    await pass(11);

    assert.deepEqual(times, [9.5, 14.5, 19.5]);
  });

  it("ignores missed changes of the first comparison", async () => {
    finds = () => true;
    schedule.restart();
    await pass(1);
    finds = () => false;
    await pass(19);

    assert.deepEqual(times, [1, 5, 20]);
  });

  it("ignores missed changes in a new folder", async () => {
    await passHalfAMinute();
    finds = () => true;
    schedule.folderMade();
    await pass(1);
    finds = () => false;
    await pass(20);

    assert.deepEqual(times, [30.5, 34.5, 49.5]);
  });

  it("reports a failed comparison and continues", async () => {
    const failure = new Error("The disk is away.");
    finds = () => Promise.reject(failure);
    schedule.restart();
    await pass(6);
    finds = () => false;
    await pass(74);

    assert.deepEqual(failures, [failure, failure]);
    assert.deepEqual(times, [1, 5, 20, 80]);
  });

  it("restarts with the first interval", async () => {
    await passHalfAMinute();
    schedule.restart();
    await pass(80);

    assert.deepEqual(times, [31, 35, 50, 110]);
  });

  it("forgets missed changes at a restart", async () => {
    finds = () => true;
    schedule.restart();
    await pass(7);
    finds = () => false;
    times.length = 0;
    schedule.restart();
    await pass(80);

    assert.deepEqual(times, [8, 12, 27, 87]);
  });

  it("ignores the result of a comparison that started before a restart", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    schedule.restart();
    await pass(3);
    finds = () => promise;
    await pass(7);
    schedule.restart();
    finds = () => false;
    resolve(true);
    await pass(20);

    assert.deepEqual(times, [1, 5, 11, 15, 30]);
  });

  it("compares nothing after it was disposed, and leaves no timer", async () => {
    schedule.restart();
    await pass(3);
    schedule.dispose();
    schedule.folderMade();
    await pass(200);

    assert.deepEqual(times, [1]);
    assert.equal(clock.sleeping, 0);
    assert.deepEqual(failures, []);
  });

  it("compares nothing after it was disposed during the delay for a folder", async () => {
    schedule.restart();
    await pass(3);
    schedule.folderMade();
    await settled();
    schedule.dispose();
    await pass(200);

    assert.deepEqual(times, [1]);
    assert.equal(clock.sleeping, 0);
  });

  it("compares nothing after it was disposed during a comparison", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    finds = () => promise;
    schedule.restart();
    await pass(1);
    schedule.dispose();
    resolve(true);
    await pass(200);

    assert.deepEqual(times, [1]);
    assert.equal(clock.sleeping, 0);
    assert.deepEqual(failures, []);
  });
});
