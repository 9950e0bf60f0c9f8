import type { ReplayFacts } from "@finality/client/traces";
import { t } from "@vscode/l10n";

/** Most items that a note names. */
const MOST_NAMED = 5;

/** Returns sentences on how a failure was replayed, and what may have changed in between. */
export function replayNotes(replay: ReplayFacts): readonly string[] {
  const { changed, explainedBy, readNow } = replay;
  const notes = [verdictOf(replay)];
  const others = changed.filter(({ name }) => !explainedBy.includes(name));
  if (others.length > 0) {
    const values = others.map(({ name, recorded, present }) => t`${name} (${recorded}, now ${present})`);
    notes.push(t`Changed since the simulation: ${listed(values)}.`);
  }
  if (readNow.length > 0) notes.push(t`Not recorded and read now: ${listed(readNow)}.`);
  return notes;
}

function verdictOf({ equals, differences, explainedBy }: ReplayFacts): string {
  switch (equals) {
    case "recorded":
      return t`Replayed on the state that was recorded before it was signed. Result, energy and events equal the receipt.`;
    case "present":
      return t`After the simulation, others changed ${listed(explainedBy)}. With the present values the replay equals the receipt.`;
    default:
      return t`The replay differs from the receipt: ${listed(differences)}.`;
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? t`${shown} and ${names.length - MOST_NAMED} more` : shown;
}
