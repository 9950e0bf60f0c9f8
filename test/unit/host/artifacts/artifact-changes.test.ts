import assert from "node:assert/strict";
import { ChangedFiles, ComparisonSchedule } from "../../../../src/host/artifacts/artifact-changes.ts";
import { FakeClock, settled } from "../../../support/fakes/fake-clock.ts";

const NOW = 1_000_000;
const LONG_AGO = 10_000;
const WORKSPACE = "/home/someone/tea";

/** As a `Uri` of the editor: another object each time, with equal words. */
interface At {
  readonly path: string;
  toString(): string;
}

const at = (name: string): At => ({ path: `${WORKSPACE}/${name}`, toString: () => `file://${WORKSPACE}/${name}` });
const nameOf = ({ path }: At): string => path.slice(WORKSPACE.length + 1);

describe("files that change", () => {
  /** When each file of the disk was written. */
  let disk: Map<string, number>;
  /** Results of the globs, one list for each. */
  let lists: () => readonly (readonly string[])[];
  let asked: string[];
  let closing: AbortController;
  let files: ChangedFiles<At>;

  beforeEach(() => {
    disk = new Map();
    lists = () => [[...disk.keys()]];
    asked = [];
    closing = new AbortController();
    files = new ChangedFiles<At>({
      search: async function* () {
        for (const names of lists()) yield names.map(at);
      },
      nameOf,
      timesOf: async (uri) => {
        asked.push(nameOf(uri));
        const mtime = disk.get(nameOf(uri));
        assert.ok(mtime !== undefined, "it does not exist");
        return { stamp: String(mtime), mtime };
      },
      now: () => NOW,
      closed: closing.signal,
    });
  });

  /** Takes the pending files. */
  const taken = (): readonly string[] => (files.hasPending() ? [...files.takePending()].map(nameOf) : []);

  function write(name: string, mtime = LONG_AGO): void {
    disk.set(name, mtime);
  }

  /** As if everything that is to be read were read. */
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

  it("are all to be read at first", async () => {
    write("build/Cup.json");
    write("build/Pot.json");
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json", "build/Pot.json"]);
    assert.deepEqual(taken(), []);
  });

  it("are not read again while they are as they were", async () => {
    await writeAndRead("build/Cup.json");

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
  });

  it("are each asked for once", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json");
    asked.length = 0;
    await files.compare();

    assert.deepEqual(asked, ["build/Cup.json", "build/Pot.json"]);
  });

  it("are read again when they were written again, also to an older time", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json", "build/Tea.json");
    write("build/Cup.json", LONG_AGO - 1);
    write("build/Pot.json", LONG_AGO + 1);
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json", "build/Pot.json"]);
  });

  it("are read again when they are gone", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json");
    disk.delete("build/Cup.json");
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json"]);
    read();
    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), ["build/Cup.json"], "until they are forgotten");
  });

  it("are read once when two globs find them", async () => {
    write("build/Cup.json");
    lists = () => [["build/Cup.json"], ["build/Cup.json"]];
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json"]);
  });

  it("are gone only when no glob finds them", async () => {
    await writeAndRead("build/Cup.json", "out/Pot.json");
    lists = () => [["build/Cup.json"], ["out/Pot.json"]];
    await files.compare();

    assert.deepEqual(taken(), []);
  });

  it("are not read again when they are as they were where no search finds them", async () => {
    await writeAndRead("build/Cup.json");
    lists = () => [];

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
  });

  it("are read again when they were written again where no search finds them", async () => {
    await writeAndRead("build/Cup.json");
    lists = () => [];
    write("build/Cup.json", LONG_AGO + 1);
    await files.compare();

    assert.deepEqual(taken(), ["build/Cup.json"]);
  });

  it("should have been reported when they are older than the delay of watchers", async () => {
    await writeAndRead("build/Cup.json");
    write("build/Cup.json", NOW - 2_001);

    assert.equal(await files.compare(), true);
  });

  it("may still be reported when they are younger", async () => {
    await writeAndRead("build/Cup.json");
    write("build/Cup.json", NOW - 2_000);

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), ["build/Cup.json"], "but are read");
  });

  it("should have been reported when one of many should have", async () => {
    await writeAndRead("build/Cup.json", "build/Pot.json", "build/Tea.json");
    write("build/Cup.json", NOW);
    write("build/Pot.json", NOW - 5_000);
    write("build/Tea.json", NOW);

    assert.equal(await files.compare(), true);
    assert.deepEqual(taken(), ["build/Cup.json", "build/Pot.json", "build/Tea.json"]);
  });

  it("were reported when they are already queued", async () => {
    await writeAndRead("build/Cup.json");
    write("build/Cup.json", NOW - 5_000);
    files.expect(at("build/Cup.json"));

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), ["build/Cup.json"]);
  });

  it("that vanish while they are compared are left for the next time", async () => {
    lists = () => [["build/Never.json"]];

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
  });

  it("are no longer compared without listeners", async () => {
    write("build/Cup.json");
    closing.abort();

    assert.equal(await files.compare(), false);
    assert.deepEqual(taken(), []);
  });

  it("are read when they were in a folder that is gone, however deep", async () => {
    await writeAndRead("packages/a/build/Cup.json", "packages/a/build/deep/Pot.json", "packages/b/build/Tea.json");
    files.expectGone(at("packages/a"));

    assert.deepEqual(taken(), ["packages/a/build/Cup.json", "packages/a/build/deep/Pot.json"]);
    assert.deepEqual(taken(), []);
  });

  it("are not read when a folder is gone whose name is only a part of theirs", async () => {
    await writeAndRead("packages/ab/Cup.json", "build/packages/a/Pot.json");
    files.expectGone(at("packages/a"));
    files.expectGone(at("packages/ab/Cup"));

    assert.deepEqual(taken(), []);
  });

  it("that come while others are read are read with them", () => {
    files.expect(at("build/Cup.json"));
    const reading = files.takePending();

    assert.equal(reading.next().value?.path, at("build/Cup.json").path);
    files.expect(at("build/Pot.json"));
    assert.deepEqual([...reading].map(nameOf), ["build/Pot.json"]);
  });

  it("are read no more once something else is to be read", async () => {
    await writeAndRead("build/Cup.json");
    files.expect(at("build/Pot.json"));
    files.expectGone(at("build"));
    files.stopReading();

    assert.deepEqual(taken(), []);
    assert.equal(files.known("build/Cup.json")?.stamp, String(LONG_AGO));
  });

  it("are all unknown again after a new beginning", async () => {
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

describe("looking again at files that are watched", () => {
  let clock: FakeClock;
  let lookAgain: ComparisonSchedule;
  let finds: Finds;
  let started: number;
  let looks: number[];
  let failures: unknown[];

  beforeEach(() => {
    clock = new FakeClock();
    started = clock.now();
    looks = [];
    failures = [];
    finds = () => false;
    lookAgain = new ComparisonSchedule({
      clock,
      compare: async () => {
        looks.push((clock.now() - started) / 1_000);
        return await finds();
      },
      failed: (error) => failures.push(error),
    });
  });

  afterEach(() => lookAgain.dispose());

  const pass = (seconds: number): Promise<void> => clock.advance(seconds * 1_000);

  /** Between the looks after 20 s and after 80 s; what is told of looks begins here. */
  async function lookedForHalfAMinute(): Promise<void> {
    lookAgain.restart();
    await pass(30);
    looks.length = 0;
  }

  it("begins after 1 s, 4 s, 15 s and 60 s, one after the other", async () => {
    lookAgain.restart();
    await pass(80);

    assert.deepEqual(looks, [1, 5, 20, 80]);
  });

  it("goes on each minute", async () => {
    lookAgain.restart();
    await pass(20);
    looks.length = 0;
    await pass(240);

    assert.deepEqual(looks, [80, 140, 200, 260]);
  });

  it("counts from the end of a look: one that lasts is not followed by another at once", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    finds = () => promise;
    lookAgain.restart();
    await pass(30);
    resolve(false);
    await pass(4);

    assert.deepEqual(looks, [1, 34]);
  });

  it("does not look before it was started", async () => {
    lookAgain.folderMade();
    await pass(100);

    assert.deepEqual(looks, []);
  });

  it("looks 0.5 s after a folder was made, and then as at the beginning", async () => {
    await lookedForHalfAMinute();
    lookAgain.folderMade();
    await pass(80);

    assert.deepEqual(looks, [30.5, 34.5, 49.5, 109.5]);
  });

  it("looks once for many folders, 0.5 s after the first of them", async () => {
    await lookedForHalfAMinute();
    for (let made = 0; made < 4; made++) {
      lookAgain.folderMade();
      await pass(0.1);
    }
    await pass(3);

    assert.deepEqual(looks, [30.5]);
  });

  it("looks again for a folder that was made after the last look", async () => {
    await lookedForHalfAMinute();
    lookAgain.folderMade();
    await pass(0.6);
    lookAgain.folderMade();
    await pass(0.5);

    assert.deepEqual(looks, [30.5, 31.1]);
  });

  it("looks again for a folder that was made during a look", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    lookAgain.restart();
    await pass(19);
    finds = () => promise;
    await pass(2);
    lookAgain.folderMade();
    resolve(false);
    await pass(0.5);

    assert.deepEqual(looks, [1, 5, 20, 21.5]);
  });

  it("checks every 5 s after it found a change that no watcher reported", async () => {
    lookAgain.restart();
    await pass(3);
    finds = () => true;
    await pass(2);
    finds = () => false;
    looks.length = 0;
    await pass(20);

    assert.deepEqual(looks, [10, 15, 20, 25]);
  });

  it("waits no longer for a folder where watchers are deaf", async () => {
    finds = () => true;
    lookAgain.restart();
    await pass(9);
    looks.length = 0;
    lookAgain.folderMade();
    await pass(11);

    assert.deepEqual(looks, [9.5, 14.5, 19.5]);
  });

  it("forgives watchers what came before the very first look", async () => {
    finds = () => true;
    lookAgain.restart();
    await pass(1);
    finds = () => false;
    await pass(19);

    assert.deepEqual(looks, [1, 5, 20]);
  });

  it("forgives watchers what was in a folder that was just made", async () => {
    await lookedForHalfAMinute();
    finds = () => true;
    lookAgain.folderMade();
    await pass(1);
    finds = () => false;
    await pass(20);

    assert.deepEqual(looks, [30.5, 34.5, 49.5]);
  });

  it("tells of a look that fails, and goes on", async () => {
    const failure = new Error("The disk is away.");
    finds = () => Promise.reject(failure);
    lookAgain.restart();
    await pass(6);
    finds = () => false;
    await pass(74);

    assert.deepEqual(failures, [failure, failure]);
    assert.deepEqual(looks, [1, 5, 20, 80]);
  });

  it("begins with the first step when it is restarted, and only once", async () => {
    await lookedForHalfAMinute();
    lookAgain.restart();
    await pass(80);

    assert.deepEqual(looks, [31, 35, 50, 110]);
  });

  it("forgets missed changes of watchers when it is restarted with others", async () => {
    finds = () => true;
    lookAgain.restart();
    await pass(7);
    finds = () => false;
    looks.length = 0;
    lookAgain.restart();
    await pass(80);

    assert.deepEqual(looks, [8, 12, 27, 87]);
  });

  it("does not hold against new watchers what a look that began before them finds", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    lookAgain.restart();
    await pass(3);
    finds = () => promise;
    await pass(7);
    lookAgain.restart();
    finds = () => false;
    resolve(true);
    await pass(20);

    assert.deepEqual(looks, [1, 5, 11, 15, 30]);
  });

  it("looks at nothing after it was ended, and leaves no timer", async () => {
    lookAgain.restart();
    await pass(3);
    lookAgain.dispose();
    lookAgain.folderMade();
    await pass(200);

    assert.deepEqual(looks, [1]);
    assert.equal(clock.sleeping, 0);
    assert.deepEqual(failures, []);
  });

  it("looks at nothing after it was ended while it waited for a folder to be full", async () => {
    lookAgain.restart();
    await pass(3);
    lookAgain.folderMade();
    await settled();
    lookAgain.dispose();
    await pass(200);

    assert.deepEqual(looks, [1]);
    assert.equal(clock.sleeping, 0);
  });

  it("looks at nothing after it was ended during a look", async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    finds = () => promise;
    lookAgain.restart();
    await pass(1);
    lookAgain.dispose();
    resolve(true);
    await pass(200);

    assert.deepEqual(looks, [1]);
    assert.equal(clock.sleeping, 0);
    assert.deepEqual(failures, []);
  });
});
