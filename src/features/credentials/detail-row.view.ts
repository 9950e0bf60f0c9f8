import { grouped } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import type { TooltipLine } from "./account.view.ts";

/** A row below an account, complete in words and icons. */
export interface DetailRow {
  /** Unique among those of its account. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon. */
  readonly icon: string;
  /** For screen readers: no pictures in it. */
  readonly spoken: string;
  /** How it is computed, with the figures. */
  readonly tooltip: readonly TooltipLine[];
  readonly children?: readonly DetailRow[];
}

type Head = Pick<DetailRow, "id" | "label" | "icon">;

/** @param words - what stands beside the label and is read out after it */
export function row(
  { id, label, icon }: Head,
  words: readonly string[],
  tooltip: readonly TooltipLine[] = [],
): DetailRow {
  return { id, label, icon, description: words.join(" · "), spoken: [label, ...words].join(", "), tooltip };
}

/** Something of which this gateway says nothing. */
export function untoldRow(id: string, label: string): DetailRow {
  return row({ id, label, icon: "question" }, [t`not told by this gateway`]);
}

/** A gateway may tell of more than anybody reads. */
const MOST = 50;

/** A row with others below it, of which it shows the first ones. */
export function withRows(parent: DetailRow, children: readonly DetailRow[]): DetailRow {
  const more = children.length - MOST;
  const rest =
    more > 0 ? [row({ id: `${parent.id}/more`, label: t`${grouped(more)} more`, icon: "ellipsis" }, [])] : [];
  return { ...parent, children: [...children.slice(0, MOST), ...rest] };
}
