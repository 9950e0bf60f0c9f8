import { bytesToHex, type TxId } from "@finality/tron/primitives";
import type { CodeCoverage, CoverageRecord } from "@finality/tron/traces";
import { TRACE_VERSION } from "@finality/tron/traces";

/** Most codes that are counted. */
const MOST_CODES = 4_000;
/** Most codes before equal ones share their counts. */
const MOST_UNMERGED = 200;
/** Most trial runs that wait for their block. */
const MOST_TRIALS = 100;

/** Counts of one code. */
export class CodeCounts {
  /** Executions by program counter. */
  readonly hits: Uint32Array;
  /** Taken jumps by program counter, then by target. */
  readonly jumps = new Map<number, Map<number, number>>();
  /** Executions of jump targets with the word 1 on the stack. */
  readonly truths = new Map<number, number>();

  constructor(length: number) {
    this.hits = new Uint32Array(length);
  }

  jump(from: number, to: number, count = 1): void {
    const targets = this.jumps.get(from);
    if (targets === undefined) this.jumps.set(from, new Map([[to, count]]));
    else targets.set(to, (targets.get(to) ?? 0) + count);
  }

  truth(pc: number, count = 1): void {
    this.truths.set(pc, (this.truths.get(pc) ?? 0) + count);
  }

  add(other: CodeCounts): void {
    for (const [pc, count] of other.hits.entries()) if (count > 0) this.hits[pc] = (this.hits[pc] ?? 0) + count;
    for (const [from, targets] of other.jumps) for (const [to, count] of targets) this.jump(from, to, count);
    for (const [pc, count] of other.truths) this.truth(pc, count);
  }
}

/** Counts of the codes of one run, or of many. */
export class RunCounts {
  readonly codes = new Map<Uint8Array, CodeCounts>();

  of(code: Uint8Array): CodeCounts {
    const known = this.codes.get(code);
    if (known !== undefined) return known;
    const counts = new CodeCounts(code.length);
    this.codes.set(code, counts);
    return counts;
  }
}

/** Counts the instructions that a chain executes: in blocks, constant calls and estimates. */
export class ChainCoverage {
  readonly #codes = new Map<string, CodeCounts>();
  readonly #total = new RunCounts();
  /** Trial runs of transactions, which the run in their block replaces if there is one. */
  readonly #trials = new Map<TxId, RunCounts>();
  #left = 0;

  /** Returns the counts to add a run to. @param isTrial - the block may run the transaction again */
  countsFor(txId: TxId, isTrial: boolean): RunCounts {
    this.#trials.delete(txId);
    if (!isTrial) {
      if (this.#total.codes.size > MOST_UNMERGED) this.#mergeTotal();
      return this.#total;
    }
    for (const [oldest, counts] of this.#trials) {
      if (this.#trials.size < MOST_TRIALS) break;
      this.#trials.delete(oldest);
      this.#add(counts);
    }
    const counts = new RunCounts();
    this.#trials.set(txId, counts);
    return counts;
  }

  record(): CoverageRecord {
    for (const counts of this.#trials.values()) this.#add(counts);
    this.#trials.clear();
    this.#mergeTotal();
    const codes = [...this.#codes].map(([bytes, counts]) => codeCoverage(bytes, counts));
    return { version: TRACE_VERSION, codes, left: this.#left };
  }

  #mergeTotal(): void {
    this.#add(this.#total);
    this.#total.codes.clear();
  }

  #add({ codes }: RunCounts): void {
    for (const [code, counts] of codes) {
      const bytes = bytesToHex(code);
      const known = this.#codes.get(bytes);
      if (known !== undefined) known.add(counts);
      else if (this.#codes.size < MOST_CODES) this.#codes.set(bytes, counts);
      else this.#left += 1;
    }
  }
}

function codeCoverage(bytes: string, { hits, jumps, truths }: CodeCounts): CodeCoverage {
  const pcs = [...hits.keys()].filter((pc) => (hits[pc] ?? 0) > 0);
  const taken = [...jumps].flatMap(([from, targets]) => [...targets].flatMap(([to, count]) => [from, to, count]));
  return {
    bytes: bytes as CodeCoverage["bytes"],
    pcs: Uint32Array.from(pcs),
    counts: Uint32Array.from(pcs, (pc) => hits[pc] ?? 0),
    jumps: Uint32Array.from(taken),
    truths: Uint32Array.from([...truths].flat()),
  };
}
