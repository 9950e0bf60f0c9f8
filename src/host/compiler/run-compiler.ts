import { t } from "@vscode/l10n";
import type { Compiler } from "./find-compiler.ts";
import { runWithInput, scriptProcess } from "./run-with-input.ts";

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

/**
 * Compiles standard JSON in a process of its own. Returns the output of the compiler, as JSON text.
 *
 * @throws {Error} the process failed or took longer than five minutes; the reason of the signal
 */
export async function runCompiler({ path, kind }: Compiler, input: string, signal: AbortSignal): Promise<string> {
  const program =
    kind === "script" ? scriptProcess(runSoljson, path) : { program: path, arguments: ["--standard-json"] };
  const { code, output, errors } = await runWithInput({ ...program, longestMs: LONGEST_MS }, input, signal);
  if (code === 0 || output.trimStart().startsWith("{")) return output;
  const reason = errors.trim().split("\n").at(-1) ?? "";
  throw new Error(t`the compiler ${path} ended with code ${String(code)}: ${reason.slice(0, 300)}`);
}
