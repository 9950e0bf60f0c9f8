import type { FileEstimate } from "@finality/client/labels";
import { grouped } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { TransactionState } from "../../public/api.ts";

/** Exit codes of tasks: those of the command line. */
export const EXIT = { ok: 0, negative: 1, network: 3, overBudget: 5 } as const;

type Severity = "error" | "warning" | "info";

/** Returns the line of a call, in the form of the problem matcher `$finality-estimate`. */
export function estimateText(call: FileEstimate, tolerance: number): string {
  const { file, line, column, name } = call;
  const { severity, text } = resultOf(call, tolerance);
  return visibleLine(`${file}:${line}:${column}: ${severity}: ${name}: ${text}`, LONGEST_LINE);
}

const LONGEST_LINE = 2_000;

function resultOf(call: FileEstimate, tolerance: number): { readonly severity: Severity; readonly text: string } {
  const { kind, energy, before, text, problems } = call;
  if (kind !== "estimated" || energy === undefined)
    return { severity: kind === "fails" ? "error" : "warning", text: [text, ...problems.slice(0, 1)].join(". ") };
  if (before === undefined || energy === before) return { severity: "info", text: t`${grouped(energy)} energy` };
  const change = t`${grouped(energy)} energy, ${grouped(before)} in the snapshot`;
  return { severity: isOver(call, tolerance) ? "error" : "info", text: change };
}

function isOver({ energy, before }: FileEstimate, tolerance: number): boolean {
  return energy !== undefined && before !== undefined && energy * 100 > before * (100 + tolerance);
}

/** Exit code for all calls: over budget, then failing calls, then calls without an estimate. */
export function estimateExitCode(calls: readonly FileEstimate[], tolerance: number): number {
  if (calls.some((it) => isOver(it, tolerance))) return EXIT.overBudget;
  if (calls.some(({ kind }) => kind === "fails")) return EXIT.negative;
  return calls.some(({ kind }) => kind === "unavailable") ? EXIT.network : EXIT.ok;
}

/** Returns the line for a state of a transaction. */
export function stateText(state: TransactionState): string {
  switch (state.kind) {
    case "signed":
      return t`signed, not sent`;
    case "unknown":
      return t`sent, outcome unknown: ${state.reason}`;
    case "pending":
      return t`pending`;
    case "included":
      return t`included in block ${grouped(state.block.number)}, not final`;
    case "solidified": {
      const { outcome, block } = state;
      if (outcome.kind === "success") return t`final: success, block ${grouped(block.number)}`;
      return t`final: failed, block ${grouped(block.number)}: ${outcome.reason ?? outcome.message}`;
    }
    case "rejected":
      return t`rejected: ${state.code}, ${state.message}`;
    case "proven-absent":
      return t`proven absent from blocks ${grouped(state.from)} to ${grouped(state.to)}`;
    case "replaced":
      return t`replaced by ${state.by}`;
  }
}

/** Returns the exit code of a final state, or undefined while the state may change. */
export function stateExitCode(state: TransactionState): number | undefined {
  switch (state.kind) {
    case "solidified":
      return state.outcome.kind === "success" ? EXIT.ok : EXIT.negative;
    case "rejected":
    case "proven-absent":
    case "replaced":
      return EXIT.negative;
    default:
      return undefined;
  }
}
