import { addressIn, isForeignText, toBase58, visibleLine } from "@finality/tron/primitives";
import type { TraceWrite } from "@finality/tron/traces";
import { hashPreimages } from "../traces/hash-preimages.ts";
import { readStorageLayout, type VariableChange, variableChanges } from "../traces/storage-variables.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** Variable of storage that an instruction writes. */
interface WrittenVariable extends VariableChange {
  /** Address of the account whose storage it is, and the name: `TXYZ…/orders[3].price`. */
  readonly key: string;
}

/** Variables of storage that a run writes, found on first use. */
export class WrittenVariables {
  readonly #run: RecordedRun;
  #found: ReadonlyMap<number, readonly WrittenVariable[]> | undefined;

  constructor(run: RecordedRun) {
    this.#run = run;
  }

  /**
   * Returns the key of a variable of the storage that a frame uses; undefined if the contract has no such variable.
   *
   * @param name - as an expression has it: `orders[3].price`
   */
  keyOf(frame: number, name: string): string | undefined {
    const layout = readStorageLayout(this.#run.codeOf(frame)?.compiled.storageLayout);
    const [root = ""] = /^[A-Za-z_$][\w$]*/.exec(name.trim()) ?? [];
    const found = this.#run.trace.frames[frame];
    if (found === undefined || layout?.entries.some(({ label }) => label === root) !== true) return undefined;
    return `${toBase58(found.to)}/${name.replaceAll(/\s/g, "")}`;
  }

  /** Returns the instructions that write a variable, a member of it or an entry. @param key - as `WrittenVariable` has */
  writesOf(key: string): readonly number[] {
    const isPart = (it: string): boolean => it === key || (it.startsWith(key) && /[.[]/.test(it[key.length] ?? ""));
    return [...this.#all].flatMap(([step, variables]) => (variables.some((it) => isPart(it.key)) ? [step] : []));
  }

  /** Returns the changes of an instruction as text: `balanceOf[TXYZ…]: 5 → 7`. */
  textOf(step: number): string {
    const texts = (this.#all.get(step) ?? []).map(
      ({ name, before, after }) => `${name}: ${valueText(before)} → ${valueText(after)}`,
    );
    return texts.join(", ");
  }

  get #all(): ReadonlyMap<number, readonly WrittenVariable[]> {
    this.#found ??= writtenVariables(this.#run);
    return this.#found;
  }
}

function writtenVariables(run: RecordedRun): ReadonlyMap<number, readonly WrittenVariable[]> {
  const preimages = hashPreimages(run.trace);
  const found = new Map<number, readonly WrittenVariable[]>();
  for (const write of run.trace.writes) found.set(write.step, variablesOf(run, write, preimages));
  return found;
}

function variablesOf(
  run: RecordedRun,
  write: TraceWrite,
  preimages: ReturnType<typeof hashPreimages>,
): readonly WrittenVariable[] {
  const layout = readStorageLayout(run.codeOf(write.frame)?.compiled.storageLayout);
  if (layout === undefined || write.isTransient) return [];
  const address = toBase58(write.address);
  return variableChanges(layout, write, preimages).map((it) => ({ ...it, key: `${address}/${it.name}` }));
}

function valueText(value: VariableChange["before"]): string {
  if (value === undefined) return "…";
  if (isForeignText(value)) return JSON.stringify(visibleLine(value));
  if (typeof value === "string") {
    const address = addressIn(value);
    return address === undefined ? value : toBase58(address);
  }
  return typeof value === "object" && "bytes" in value ? `0x${value.bytes}` : String(value);
}
