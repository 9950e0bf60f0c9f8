import assert from "node:assert/strict";
import { LookAgain } from "../../../../src/host/artifacts/look-again.ts";
import { FakeClock, settled } from "../../../support/fakes/fake-clock.ts";

/** What a comparison finds; told of at once unless a test holds it. */
type Finds = () => boolean | Promise<boolean>;

describe("looking again at files that are watched", () => {
  let clock: FakeClock;
  let lookAgain: LookAgain;
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
    lookAgain = new LookAgain({
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

  it("looks every 5 s once it found a change that no watcher told", async () => {
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

  it("begins with the first step when it is started anew, and only once", async () => {
    await lookedForHalfAMinute();
    lookAgain.restart();
    await pass(80);

    assert.deepEqual(looks, [31, 35, 50, 110]);
  });

  it("forgets that watchers were deaf when it is started anew with others", async () => {
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
