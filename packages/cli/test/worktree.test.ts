import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildCliIfStale } from "../../../scripts/build/cli.mjs";

const root = join(import.meta.dirname, "..", "..", "..");

describe("worktree of finality estimate --against", () => {
  let folder: string;
  let program: string;
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], {
      cwd: join(folder, "project"),
      encoding: "utf8",
    });

  before(async function () {
    this.timeout(60_000);
    program = await buildCliIfStale(root);
  });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "finality-worktrees-")));
    for (const name of ["project", "project/part", "temporary"]) mkdirSync(join(folder, name));
    const calls = { calls: [{ contract: "Leaf", function: "transfer" }] };
    writeFileSync(join(folder, "project/part/a.finality.jsonc"), JSON.stringify(calls));
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "base");
    mkdirSync(join(folder, "project/.git/hooks"), { recursive: true });
    writeFileSync(join(folder, "project/.git/hooks/post-checkout"), "#!/bin/sh\ntouch hooked\n", { mode: 0o755 });
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (build: string) =>
    spawn(process.execPath, [program, "estimate", "a.finality.jsonc", "--against", "main", "--build", build], {
      cwd: join(folder, "project/part"),
      env: { PATH: process.env.PATH, TMPDIR: join(folder, "temporary") },
      stdio: ["ignore", "pipe", "pipe"],
    });

  const requireRemoved = (): void => {
    assert.deepEqual(readdirSync(join(folder, "temporary")), []);
    assert.equal(git("worktree", "list").trim().split("\n").length, 1);
    assert.equal(git("status", "--porcelain"), "");
  };

  it("has the same folder of the revision, runs no hook, and is removed", async () => {
    const child = start("pwd && ls && exit 3");
    const report = text(child.stderr);
    const [exitCode] = await once(child, "close");

    assert.equal(exitCode, 2);
    assert.match(
      await report,
      /BUILD_FAILED[\s\S]*\/temporary\/finality-worktree-\w+\/worktree\/part\na\.finality\.jsonc\n/,
    );
    requireRemoved();
  });

  for (const [signal, expected] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    it(`is removed with the programs in it after ${signal}`, async () => {
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      const child = start(`exec > ${pipe}; echo ready; sleep 60`);
      const output = createReadStream(pipe);
      await once(output, "data");

      child.kill(signal);
      const [[exitCode]] = await Promise.all([once(child, "close"), once(output, "end")]);

      // The pipe ends when no program has it open any more.
      assert.equal(exitCode, expected);
      requireRemoved();
    });
});
