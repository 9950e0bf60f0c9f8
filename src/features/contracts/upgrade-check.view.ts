import { addedVariables, type StorageVariable, storageCollisions, type UpgradeCheck } from "@finality/client/contracts";
import { visibleLine, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

const MOST_SHOWN = 8;

/** Returns why an upgrade is refused: each slot with both variables, then the words of OpenZeppelin. */
export function refusalText(check: UpgradeCheck): string {
  const collisions = storageCollisions(check).map(
    ({ slot, before, after }) =>
      t`slot ${slotText(slot)} has ${variableText(before)} and would have ${variableText(after)}`,
  );
  const storage = check.storageErrors.map((it) => visibleLine(it.replaceAll(/\s+/g, " ")));
  const unsafe = check.errors.map(({ kind, source }) => `${visibleLine(kind)} (${visibleLine(source)})`);
  const parts = [
    ...(check.storageErrors.length === 0 ? [] : [...collisions.slice(0, MOST_SHOWN), ...storage.slice(0, MOST_SHOWN)]),
    ...(unsafe.length === 0 ? [] : [t`not safe behind a proxy: ${unsafe.slice(0, MOST_SHOWN).join(t`, `)}`]),
  ];
  return parts.join(t`; `);
}

/** Returns the lines of a review that compare the storage. */
export function upgradeLines(check: UpgradeCheck): readonly string[] {
  const added = addedVariables(check).map(variableText);
  const kept = (check.before ?? []).length;
  return [
    kept === 1
      ? t`Storage: compatible by the rules of OpenZeppelin; one variable keeps its slot`
      : t`Storage: compatible by the rules of OpenZeppelin; ${String(kept)} variables keep their slots`,
    ...(added.length === 0 ? [] : [t`New variables: ${added.slice(0, MOST_SHOWN).join(t`, `)}`]),
  ];
}

function variableText({ label, type, slot }: StorageVariable): string {
  return t`${visibleLine(label)} (${visibleLine(type)}, slot ${slotText(slot)})`;
}

const LONGEST_SLOT = 20;

/** Returns a slot as a decimal number, or in hex with its first and last bytes if it is that of a namespace. */
function slotText(slot: string): string {
  const number = wholeNumberIn(slot);
  if (number === undefined || slot.length <= LONGEST_SLOT) return slot;
  const digits = number.toString(16).padStart(64, "0");
  return `0x${digits.slice(0, 8)}…${digits.slice(-8)}`;
}
