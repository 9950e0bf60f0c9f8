import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leadAlone } from "../../../src/host/tracking-leader.ts";

const LEADER = join(import.meta.dirname, "../../support/leading-process.ts");

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

  /** A window: its leadership, and how to close it. */
  function open(path = folder) {
    const { promise: leading, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    let leads = false;
    const done = leadAlone(
      path,
      async () => {
        leads = true;
        resolve();
      },
      stop.signal,
    );
    const close = async () => {
      stop.abort();
      await done;
    };
    return { leading, close, leads: () => leads };
  }

  async function startProcess(): Promise<ChildProcess> {
    const child = fork(LEADER, [folder], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
    children.push(child);
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once("message", () => resolve());
    await promise;
    return child;
  }

  it("one of two windows leads, and the other takes over when it closes", async () => {
    const first = open();
    await first.leading;
    const second = open();

    await first.close();
    await second.leading;

    assert.equal(first.leads(), true);
    await second.close();
  });

  it("of five windows that open at once one leads", async () => {
    const windows = Array.from({ length: 5 }, () => open());

    await Promise.race(windows.map((it) => it.leading));

    assert.equal(windows.filter((it) => it.leads()).length, 1);
    await Promise.all(windows.map((it) => it.close()));
  });

  it("a follower that closes does not wait for the leader", async () => {
    const [first, second] = [open(), open()];
    await Promise.race([first.leading, second.leading]);
    const [leader, follower] = first.leads() ? [first, second] : [second, first];

    await follower.close();

    assert.equal(follower.leads(), false);
    await leader.close();
  });

  it("a killed leader is followed by the window that waited", async () => {
    const leader = await startProcess();
    const follower = open();

    leader.kill("SIGKILL");

    await follower.leading;
    await follower.close();
  });

  it("the socket that a killed leader left behind stops nobody", async () => {
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
});
