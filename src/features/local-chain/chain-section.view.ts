import type { ChainStatus } from "./chain-control.ts";
import { isOver, standingOf } from "./fault.view.ts";

/** A row in words and icons. */
export interface SectionRow {
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  readonly contextValue: string;
  readonly spoken: string;
  readonly tooltip: string;
}

/** A fact about the chain, or a snapshot to go back to. */
export interface ChildRow extends SectionRow {
  readonly snapshot?: string;
}

const NAME = "Local chain";

/** @param status - undefined until the chain has answered, `"silent"` while it does not */
export function describeChain(status: ChainStatus | "silent" | undefined, baseUrl: string): SectionRow {
  const row = { label: NAME, contextValue: "localChain" };
  if (status === undefined) return { ...row, ...spoken([]), icon: "server-process", tooltip: baseUrl };
  if (status === "silent") return { ...row, ...spoken(["does not answer"]), icon: "warning", tooltip: baseUrl };
  const { height, solidHeight, faults } = status;
  const on = faults.filter((it) => !isOver(it)).length;
  const marks = on === 0 ? [] : [on === 1 ? "1 fault" : `${on} faults`];
  const icon = on === 0 ? "server-process" : "zap";
  const words = spoken([`block ${grouped(height)}`, `solidified ${grouped(solidHeight)}`, ...marks]);
  return { ...row, ...words, icon, tooltip: `${baseUrl}, ${pace(status)}` };
}

/** What the row says when it is opened. */
export function describeParts(status: ChainStatus): readonly ChildRow[] {
  const { height, solidHeight, pending, faults, snapshots } = status;
  return [
    fact("Height", `block ${grouped(height)}`, "layers", "The newest block."),
    fact("Solidified", `block ${grouped(solidHeight)}`, "lock", "The newest block that nothing can take back."),
    ...(pending === 0 ? [] : [fact("Waiting", waiting(pending), "watch", "In the pool, for the next block.")]),
    ...faults.map((it): ChildRow => {
      const { name, hits: _, ...fields } = it;
      const row = fact(name, standingOf(it), isOver(it) ? "circle-slash" : "zap", JSON.stringify({ name, ...fields }));
      return { ...row, contextValue: "localChain.fault", spoken: `Fault ${row.spoken}` };
    }),
    ...snapshots.map((it): ChildRow => {
      const row = fact(it, "snapshot", "device-camera", "Blocks, accounts and pool, as they were when it was taken.");
      return { ...row, contextValue: "localChain.snapshot", snapshot: it };
    }),
  ];
}

function spoken(words: readonly string[]): Pick<SectionRow, "description" | "spoken"> {
  return { description: words.join(" · "), spoken: [NAME, ...words].join(", ") };
}

function fact(label: string, description: string, icon: string, tooltip: string): ChildRow {
  return { label, description, icon, tooltip, contextValue: "localChain.fact", spoken: `${label}, ${description}` };
}

function pace({ blockTimeMs }: ChainStatus): string {
  return blockTimeMs === 0 ? "blocks when you mine them" : `a block every ${blockTimeMs / 1000} s`;
}

function waiting(pending: number): string {
  return pending === 1 ? "1 transaction" : `${grouped(pending)} transactions`;
}

function grouped(height: number): string {
  return height.toLocaleString("en-US");
}
