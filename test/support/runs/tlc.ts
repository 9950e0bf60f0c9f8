import { spawn } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";

/** Values of the constants of `run.tla` and what TLC checks. */
export interface ModelCheck {
  readonly workers: number;
  readonly intents: number;
  /** Attempts of a row, 2 by default. */
  readonly attempts?: number;
  /** Transactions of an intent beside its attempts. */
  readonly spare?: number;
  /** Number of faults; unlimited by default. */
  readonly faults?: number;
  /** An explicit refusal of the only submission permits a retry before the expiration. */
  readonly refusalPermits?: boolean;
  /** One refusal of the gateway is false. */
  readonly lies?: boolean;
  /** Name of a planted bug. */
  readonly bug?: string;
  readonly invariants?: readonly string[];
  /** Properties under fairness. */
  readonly properties?: readonly string[];
}

export interface CheckedModel {
  /** Violated invariant or property, `Deadlock`, or undefined. */
  readonly violated: string | undefined;
  /** Number of distinct states. */
  readonly states: number;
  /** Number of states that were found and not visited; 0 if all were. */
  readonly unvisited: number;
  /** Actions that lead to the violation. */
  readonly trace: readonly string[];
}

/** Runs TLC on a specification in a folder of its own. @throws {Error} with its output if it reports no result */
export async function checkModel(jar: string, file: string, check: ModelCheck): Promise<CheckedModel> {
  const folder = await mkdtemp(join(tmpdir(), "finality-tlc-"));
  try {
    await copyFile(file, join(folder, basename(file)));
    await writeFile(join(folder, "model.cfg"), configuration(check));
    return parseOutput(await runTlc(jar, folder, basename(file), check.intents > 1));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function configuration(check: ModelCheck): string {
  const { workers, intents, attempts = 2, spare = 0, faults = 0, bug = "none" } = check;
  const { invariants = [], properties = [], refusalPermits = false, lies = false } = check;
  const names = (letter: string, count: number): string =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`).join(", ");
  const isFair = properties.length > 0;
  return `
    SPECIFICATION ${isFair ? "FairSpec" : "Spec"}
    CONSTANTS
      Workers = {${names("w", workers)}}
      Intents = {${names("i", intents)}}
      NoIntent = NoIntent
      MaxAttempts = ${attempts}
      Spare = ${spare}
      MaxFaults = ${faults}
      RefusalPermits = ${String(refusalPermits).toUpperCase()}
      Lies = ${String(lies).toUpperCase()}
      Bug = "${bug}"
    ${isFair ? "" : "SYMMETRY Symmetry"}
    ${invariants.map((it) => `INVARIANT ${it}`).join("\n")}
    ${properties.map((it) => `PROPERTY ${it}`).join("\n")}
  `;
}

/** Most checks take a second or two, in which a compiler that optimizes more would not pay. */
const JAVA_FOR_SECONDS = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
const JAVA_FOR_MINUTES = ["-XX:+UseParallelGC", "-XX:MaxRAMPercentage=25"];

/** Runs TLC, which reports its progress once a minute: a long check prints that to stderr. */
function runTlc(jar: string, folder: string, file: string, isLong: boolean): Promise<string> {
  const java = isLong ? JAVA_FOR_MINUTES : JAVA_FOR_SECONDS;
  const options = [...java, `-Djava.io.tmpdir=${folder}`, "-cp", jar, "tlc2.TLC"];
  const workers = String(availableParallelism());
  const args = [...options, "-metadir", folder, "-workers", workers, "-config", "model.cfg", file];
  const child = spawn("java", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (isLong)
        for (const line of text.split("\n")) if (line.startsWith("Progress(")) process.stderr.write(`${line}\n`);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(output));
  });
}

function parseOutput(output: string): CheckedModel {
  const [, states, unvisited] = /(\d+) distinct states found, (\d+) states left on queue\.\s/.exec(last(output)) ?? [];
  const isComplete = output.includes("Model checking completed. No error has been found.");
  const invariant = /Invariant (\w+) is violated/.exec(output)?.[1];
  const property = output.includes("Temporal properties were violated") ? "Property" : undefined;
  const deadlock = output.includes("Deadlock reached") ? "Deadlock" : undefined;
  const violated = invariant ?? deadlock ?? property;
  if (states === undefined || (violated === undefined && !isComplete)) throw new Error(output);
  const trace = [...output.matchAll(/^State \d+: <(\w+(?:\([^)]*\))?)/gm)].map(([, action = ""]) => action);
  return { violated, states: Number(states), unvisited: Number(unvisited), trace };
}

/** The last counts of the output; earlier ones are of the progress. */
function last(output: string): string {
  return (
    output
      .split("\n")
      .findLast((it) => /^\d+ states generated, /.test(it))
      ?.concat("\n") ?? ""
  );
}
