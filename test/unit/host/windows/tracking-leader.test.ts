import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { chmod, mkdtemp, rm, stat, unlink } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "../../../../packages/client/src/gateway/clock.ts";
import { systemClock } from "../../../../packages/node/src/system-clock.ts";
import { follow, leadAlone, sharedSocket } from "../../../../src/host/windows/tracking-leader.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";

const LEADER = join(import.meta.dirname, "../../../support/tracking/leading-process.ts");

describe("leadAlone", () => {
  let folder: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-leader-"));
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });

  /** Opens a window. `editor.isSilent` simulates a VS Code that does not answer. */
  function open(path = folder, clock: Clock = systemClock) {
    const { promise: leading, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    const editor = { isSilent: false };
    let leads = false;
    const lead = async (signal: AbortSignal): Promise<void> => {
      leads = true;
      signal.addEventListener("abort", () => (leads = false), { once: true });
      resolve();
    };
    const proof = (): Promise<void> => (editor.isSilent ? new Promise(() => undefined) : Promise.resolve());
    const done = leadAlone({ folder: path, lead, proof, clock, report: () => undefined }, stop.signal);
    const close = async () => {
      stop.abort();
      await done;
    };
    return { leading, close, editor, leads: () => leads };
  }

  async function startProcess(...clock: readonly "paced"[]): Promise<ChildProcess> {
    const child = fork(LEADER, [folder, ...clock], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    children.push(child);
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once("message", () => resolve());
    await promise;
    return child;
  }

  it("lets one of two windows lead, and the other when it closes", async () => {
    const first = open();
    await first.leading;
    const second = open();

    await first.close();
    await second.leading;

    assert.equal(first.leads(), false);
    await second.close();
  });

  it("lets one of five windows lead that open at the same time", async () => {
    const windows = Array.from({ length: 5 }, () => open());

    await Promise.race(windows.map((it) => it.leading));

    assert.equal(windows.filter((it) => it.leads()).length, 1);
    await Promise.all(windows.map((it) => it.close()));
  });

  it("closes a follower without waiting for the leader", async () => {
    const [first, second] = [open(), open()];
    await Promise.race([first.leading, second.leading]);
    const [leader, follower] = first.leads() ? [first, second] : [second, first];

    await follower.close();

    assert.equal(follower.leads(), false);
    await leader.close();
  });

  it("passes the lead of a killed process to the waiting window", async () => {
    const leader = await startProcess();
    const follower = open();

    leader.kill("SIGKILL");

    await follower.leading;
    await follower.close();
  });

  it("replaces the socket that a killed process left", async () => {
    const leader = await startProcess();
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    leader.once("close", () => resolve());
    leader.kill("SIGKILL");
    await gone;

    const next = open();

    await next.leading;
    await next.close();
  });

  it("leads in a folder whose path is too long for a socket", async () => {
    const window = open(join(folder, "x".repeat(120)));

    await window.leading;

    await window.close();
  });

  const reported = async (child: ChildProcess, word: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const hear = (message: unknown): void => void (message === word && resolve());
    child.on("message", hear);
    await promise.finally(() => child.off("message", hear));
  };

  it("P2: passes the lead of a suspended process, which then follows", async () => {
    const leader = await startProcess();
    const clock = new FakeClock();
    const follower = open(folder, clock);
    leader.kill("SIGSTOP");

    await clock.runUntil(follower.leading);

    assert.equal(follower.leads(), true);
    const following = reported(leader, "following");
    leader.kill("SIGCONT");
    await following;
    assert.equal(follower.leads(), true);
    await follower.close();
  });

  it("P2: passes the lead when VS Code does not answer, and does not take it back", async () => {
    const [clock, others] = [new FakeClock(), new FakeClock()];
    const first = open(folder, clock);
    await first.leading;
    const second = open(folder, others);

    first.editor.isSilent = true;
    await clock.runUntil(others.runUntil(second.leading));

    assert.deepEqual([first.leads(), second.leads()], [false, true]);
    await clock.advance(60_000);
    assert.equal(first.leads(), false);
    first.editor.isSilent = false;
    await second.close();
    await clock.runUntil(until(() => first.leads()));
    await first.close();
  });

  it("follows a leader while it sends heartbeats, and takes over within 10 s when they stop", async () => {
    const leader = await startProcess("paced");
    const clock = new FakeClock();
    const follower = open(folder, clock);
    // The leader serves a new follower after the waiting one.
    const served = async () =>
      await follow(await sharedSocket(folder), systemClock, new AbortController().signal, true);
    await until(() => clock.sleeping > 0);
    assert.equal(await served(), "heard");
    for (let beat = 0; beat < 15; beat++) {
      const beaten = reported(leader, "beaten");
      leader.send("beat");
      await beaten;
      assert.equal(await served(), "heard");
      await clock.advance(2_000);
    }
    assert.equal(follower.leads(), false);
    leader.kill("SIGSTOP");
    const before = clock.now();

    await clock.runUntil(follower.leading);

    assert.ok(clock.now() - before <= 10_000, `it took ${clock.now() - before} ms`);
    await follower.close();
  });

  it("P2: leads again when VS Code answers again", async () => {
    const clock = new FakeClock();
    const window = open(folder, clock);
    await window.leading;
    window.editor.isSilent = true;
    await clock.runUntil(until(() => !window.leads()));

    window.editor.isSilent = false;

    await clock.runUntil(until(() => window.leads()));
    await window.close();
  });

  it("L7: replaces the socket of another program that never proves the lead", async () => {
    const held: Socket[] = [];
    const stranger = createServer((socket) => held.push(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => stranger.listen(join(folder, "tracking.sock"), resolve));
    const clock = new FakeClock();
    const window = open(folder, clock);

    await clock.runUntil(window.leading);

    assert.equal(window.leads(), true);
    await window.close();
    for (const socket of held) socket.destroy();
    await new Promise((resolve) => stranger.close(resolve));
  });

  it("L7: replaces the socket of a program that claims to lead without proof", async () => {
    for (const message of ["leading\n", `1 ${"0".repeat(64)}\n`, "x".repeat(1_000_000)]) {
      const stranger = createServer((socket) => {
        socket
          .on("error", () => undefined)
          .resume()
          .write(message);
      });
      await new Promise<void>((resolve) => stranger.listen(join(folder, "tracking.sock"), resolve));
      const clock = new FakeClock();
      const window = open(folder, clock);

      await clock.runUntil(window.leading);

      await window.close();
      await new Promise((resolve) => stranger.close(resolve));
    }
  });

  it("L7: disconnects at once from a leader without the shared secret", async () => {
    const clock = new FakeClock();
    const { promise: left, resolve } = Promise.withResolvers<unknown>();
    const stranger = createServer((socket) => {
      socket
        .on("error", () => undefined)
        .on("close", resolve)
        .resume();
      for (let count = 1; count <= 3; count++) socket.write(`${count} ${"0".repeat(64)}\n`);
    });
    await new Promise<void>((listening) => stranger.listen(join(folder, "tracking.sock"), listening));
    const window = open(folder, clock);

    // No time has passed.
    await left;

    await clock.runUntil(window.leading);
    await window.close();
    await new Promise((closed) => stranger.close(closed));
  });

  it("L7: disconnects clients without the shared secret, and keeps the lead", async () => {
    const clock = new FakeClock();
    const window = open(folder, clock);
    await window.leading;
    const path = join(folder, "tracking.sock");
    const messages = ["", "garbage\n", "x".repeat(5_000_000), `${"0".repeat(32)} ${"0".repeat(64)}\n`];
    const strangers = Array.from({ length: 80 }, (_, index) => {
      const socket = connect(path).on("error", () => undefined);
      socket.write(messages[index % messages.length] ?? "");
      return new Promise((resolve) => socket.on("close", resolve).resume());
    });

    await clock.runUntil(Promise.all(strangers));

    const follower = open(folder, clock);
    await clock.advance(1_000);
    assert.deepEqual([window.leads(), follower.leads()], [true, false]);
    await Promise.all([window.close(), follower.close()]);
  });

  it("L7: restores a removed or replaced socket", async () => {
    const clock = new FakeClock();
    const window = open(folder, clock);
    await window.leading;
    const path = join(folder, "tracking.sock");
    await unlink(path);
    const stranger = createServer((socket) => socket.on("error", () => undefined).resume());
    await new Promise<void>((resolve) => stranger.listen(path, resolve));
    const { ino } = await stat(path);

    await clock.runUntil(until(async () => (await stat(path).catch(() => undefined))?.ino !== ino));

    assert.equal(window.leads(), true);
    await window.close();
    await new Promise((resolve) => stranger.close(resolve));
  });

  it("L7: restricts secret and socket folder to the user", async () => {
    const deep = join(folder, "x".repeat(120));
    const window = open(deep);
    await window.leading;

    const { path } = await sharedSocket(deep);

    assert.equal((await stat(join(deep, "tracking.key"))).mode & 0o777, 0o600);
    assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
    assert.ok(!path.startsWith(deep));
    await window.close();
    await chmod(dirname(path), 0o777);
    await assert.rejects(sharedSocket(deep), /is open to other users/);
  });
});

/** Waits until a condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
