import { type EnergyProfile, type LineChange, type LineEnergy, shareText } from "@finality/client/traces";
import { counted, grouped } from "@finality/tron/format";
import { t } from "@vscode/l10n";

/** Text at the end of a source line. */
export interface LineLabel {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Width of the bar in the gutter: 0 is the narrowest, 3 the widest. */
  readonly level: number;
}

/** Shares of the energy of a run from which the bar is wider. */
const LEVELS = [0.01, 0.05, 0.2] as const;

/** Returns the energy of each line of a run, how often it ran, and its share of the energy of the run. */
export function energyLabels({ lines, total }: EnergyProfile): readonly LineLabel[] {
  return lines.map(({ file, line, energy, count }) => ({
    file,
    line,
    text: `${energyText(energy)} · ${grouped(count)} × · ${shareText(energy, total)}`,
    level: levelOf(energy, total),
  }));
}

/** Returns the difference of each line whose energy is another than in the run before. */
export function changeLabels(changes: readonly LineChange[], total: number): readonly LineLabel[] {
  return changes.flatMap(({ after, before }) => {
    const { file, line, energy } = after;
    if (before === energy) return [];
    const change = Math.abs(energy - (before ?? 0));
    return [{ file, line, text: changeText(after, before), level: levelOf(change, total) }];
  });
}

function changeText({ energy }: LineEnergy, before: number | undefined): string {
  if (before === undefined) return t`+${energyText(energy)} · did not run before`;
  const sign = energy > before ? "+" : "-";
  return `${sign}${energyText(Math.abs(energy - before))} · ${grouped(before)} → ${grouped(energy)}`;
}

function energyText(energy: number): string {
  return t`${grouped(energy)} energy`;
}

function levelOf(energy: number, total: number): number {
  return LEVELS.filter((it) => energy >= it * total && energy > 0).length;
}

/** Returns the sentence about a run whose lines are shown. */
export function shownText({ total, unknown, lines }: EnergyProfile): string {
  const rest = unknown === 0 ? "" : t` ${grouped(unknown)} energy has no line.`;
  return t`${grouped(total)} energy in ${counted(lines.length, t`line`, t`lines`)}.${rest}`;
}

/** Returns the sentence about two runs that are compared. */
export function comparedText(before: EnergyProfile, after: EnergyProfile, changed: number): string {
  const lines = counted(changed, t`changed line`, t`changed lines`);
  return t`${grouped(before.total)} → ${grouped(after.total)} energy, ${lines}.`;
}
