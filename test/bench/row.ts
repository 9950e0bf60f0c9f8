import { appendFileSync } from "node:fs";

/** One line of the table of `npm run bench`: what we take beside a peer, measured in one run. */
export interface BenchRow {
  readonly area: string;
  /** Measured operation. */
  readonly what: string;
  /** Meaning for a user, in one sentence. */
  readonly meaning: string;
  readonly peer: string;
  readonly unit: string;
  readonly better: "less" | "more";
  readonly ours: number;
  readonly theirs: number;
  /** Reason why it may be slower. */
  readonly reason?: string;
}

/** Set by `npm run bench`: the file that gathers the rows. */
const ROWS = process.env.FINALITY_BENCH_ROWS;

/** Above 1 it is in our favour. */
export function ratioOf({ better, ours, theirs }: Pick<BenchRow, "better" | "ours" | "theirs">): number {
  return better === "less" ? theirs / ours : ours / theirs;
}

/** Prints a measurement, and keeps it for the table. */
export function report(row: BenchRow): void {
  const { what, peer, unit, ours, theirs } = row;
  console.log(`${what}: ours ${shown(ours)} ${unit}, ${peer} ${shown(theirs)} ${unit} (${ratioOf(row).toFixed(2)})`);
  if (ROWS !== undefined) appendFileSync(ROWS, `${JSON.stringify(row)}\n`);
}

/** Three digits that say something. */
export function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}

/** Median times of operations that run in turns, so that a busy machine slows all of them; ms. */
export async function inTurns<Name extends string>(
  ways: { readonly [N in Name]: () => unknown },
  rounds: number,
): Promise<{ readonly [N in Name]: number }> {
  const names = Object.keys(ways) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const started = performance.now();
      await ways[name]();
      // The first round of each pays for the compiler.
      if (round > 0) times.get(name)?.push(performance.now() - started);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as { [N in Name]: number };
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN;
}
