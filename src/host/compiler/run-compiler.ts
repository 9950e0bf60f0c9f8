import { spawn } from "node:child_process";
import { t } from "@vscode/l10n";
import type { Compiler } from "./find-compiler.ts";

/** Part of a `soljson.js` that compiles. */
interface Soljson {
  readonly calledRun?: boolean;
  onRuntimeInitialized?: () => void;
  cwrap(name: string, returned: string, parameters: readonly string[]): (input: string, ...others: number[]) => string;
}

/**
 * Source of the process that runs a `soljson.js`, the first argument. The script comes from the workspace or a cache. It
 * stands alone: the process has no other code.
 */
function runSoljson(): void {
  const [, path = ""] = process.argv;
  const chunks: Buffer[] = [];
  process.stdin.on("data", (it: Buffer) => chunks.push(it));
  process.stdin.on("end", () => {
    const soljson = process.getBuiltinModule("node:module").createRequire(path)(path) as Soljson;
    const run = (): void => {
      const compile = soljson.cwrap("solidity_compile", "string", ["string", "number", "number"]);
      process.stdout.write(compile(Buffer.concat(chunks).toString("utf8"), 0, 0), () => process.exit(0));
    };
    if (soljson.calledRun === false) soljson.onRuntimeInitialized = run;
    else run();
  });
}

const LONGEST_MS = 300_000;
const LONGEST_OUTPUT = 256 * 1024 * 1024;

/**
 * Compiles standard JSON in a process of its own. Returns the output of the compiler, as JSON text.
 *
 * @throws {Error} the process failed or took longer than five minutes; the reason of the signal
 */
export async function runCompiler({ path, kind }: Compiler, input: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const [program, args] =
    kind === "script" ? [process.execPath, ["-e", `(${String(runSoljson)})()`, path]] : [path, ["--standard-json"]];
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
  const child = spawn(program, args, {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: "" },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    signal: limit,
    killSignal: "SIGKILL",
  });
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  let size = 0;
  child.stdout.on("data", (bytes: Buffer) => {
    size += bytes.length;
    if (size > LONGEST_OUTPUT) child.kill("SIGKILL");
    else output.push(bytes);
  });
  child.stderr.on("data", (bytes: Buffer) => errors.push(bytes));
  // The process may end before it has read its input.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  signal.throwIfAborted();
  const text = Buffer.concat(output).toString("utf8");
  if (code === 0 || text.trimStart().startsWith("{")) return text;
  const reason = Buffer.concat(errors).toString("utf8").trim().split("\n").at(-1) ?? "";
  throw new Error(t`the compiler ${path} ended with code ${String(code)}: ${reason.slice(0, 300)}`);
}
