import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../../src/host/run-program.ts";

describe("runProgram", () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "finality-program-"));
    const bin = join(folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    const script = `#!${process.execPath}
console.log(process.cwd(), process.env.CHAIN_URL, process.argv.slice(2).join("|"));
console.error("a warning");
if (process.argv[2] === "wait") setInterval(() => undefined, 1_000);
else process.exitCode = 3;
`;
    writeFileSync(join(bin, "runner"), script);
    chmodSync(join(bin, "runner"), 0o755);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function run(words: readonly string[], options: { readonly program?: string; readonly signal?: AbortSignal } = {}) {
    const printed: string[] = [];
    const { program = "runner", signal = new AbortController().signal } = options;
    const env = { CHAIN_URL: "http://127.0.0.1:1" };
    const ended = runProgram({
      ...{ program, arguments: words, folders: [folder], env, signal },
      onOutput: (text) => printed.push(text),
    });
    return { ended, printed };
  }

  it("runs a program of node_modules in its folder, without a shell", async () => {
    const { ended, printed } = run(["test", "$(exit 9); a b"]);

    const { code, output } = await ended;

    assert.equal(code, 3);
    assert.match(output, /http:\/\/127\.0\.0\.1:1 test\|\$\(exit 9\); a b\n$/);
    assert.match(printed.join(""), /a warning/);
  });

  it("ends the program when the run is cancelled", async () => {
    const cancelling = new AbortController();
    const { ended, printed } = run(["wait"], { signal: cancelling.signal });
    while (printed.length === 0) await new Promise((resolve) => setImmediate(resolve));

    cancelling.abort(new Error("cancelled"));

    await assert.rejects(ended, /cancelled/);
  });

  it("ends a cancelled run whose program was killed while a process that left its group holds the output", async () => {
    const cancelling = new AbortController();
    const stay = 'require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], ';
    const left = `const { pid } = ${stay}{ detached: true, stdio: "inherit" }); console.log(pid, process.pid);`;
    const killed = `${left} setImmediate(() => process.kill(process.pid, "SIGKILL"));`;
    const { ended, printed } = run(["-e", killed], { program: "node", signal: cancelling.signal });
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    while (printed.length === 0) await turn();
    const [outside = 0, own = 0] = (printed[0] ?? "").split(" ").map(Number);
    while (isRunning(own)) await turn();

    cancelling.abort(new Error("cancelled"));

    await assert.rejects(ended, /cancelled/);
    process.kill(outside);
  });

  it("rejects for a program that is not installed", async () => {
    await assert.rejects(run([], { program: "no-such-runner" }).ended, { code: "ENOENT" });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
