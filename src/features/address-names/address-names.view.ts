import type { Checked } from "@finality/tron/format";
import {
  type Address,
  cleanLabel,
  type KnownName,
  labelFault,
  nameProblem,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import { lookalikesOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";

/** Existing name of an address. */
interface Named {
  readonly address: Address;
  readonly label: string;
}

/** Describes a name that now means another address. Returns undefined for other names. */
export function changedNotice({ address, name, was }: KnownName): string | undefined {
  if (was === undefined) return undefined;
  return t`The address book now uses “${visibleLine(name, 60)}” for ${toBase58(address)}. Before, it was used for ${toBase58(was)}. If you did not change it, a program may have: correct it in the settings.`;
}

/**
 * Validates a name while the user types.
 *
 * @param others - the names of all other addresses
 */
export function checkName(text: string, others: readonly Named[]): Checked<string> {
  if (text.trim() === "") return { kind: "empty" };
  const problem = nameProblem(text);
  if (problem !== undefined) return { kind: "wrong", message: t`This name cannot be used: ${problem}.` };
  if (
    labelFault(
      text,
      others.map(({ label }) => label),
    ) === undefined
  )
    return { kind: "good", value: cleanLabel(text) };
  return { kind: "wrong", message: t`Another address has this name, or one that looks like it.` };
}

/** Returns the prompt for the name, with the facts to compare first. */
export function nameQuestion(address: Address, others: readonly Named[]): string {
  const question = t`Name for ${toBase58(address)}`;
  const [other] = lookalikesOf(
    address,
    others.map((it) => it.address),
  );
  const label = others.find((it) => it.address === other)?.label;
  if (other === undefined || label === undefined) return question;
  return t`${question} ⚠ It is not ${visibleLine(label, 60)}, ${toBase58(other)}: only the ends are the same.`;
}

/** Confirmation when a program names an address. */
export function programQuestion(
  address: Address,
  before: string | undefined,
  after: string | undefined,
): { readonly title: string; readonly detail: string } {
  const shown = (name: string): string => `“${visibleLine(name, 60)}”`;
  const title =
    after === undefined ? t`Remove the name of ${toBase58(address)}?` : t`Name ${toBase58(address)} ${shown(after)}?`;
  const until = before === undefined ? t`It has no name yet.` : t`Current name: ${shown(before)}.`;
  const detail = t`${until} Reviews and lists show the name beside the address.\n\nIf you did not request this, cancel: a program may have.`;
  return { title, detail };
}
