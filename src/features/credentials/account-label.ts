import { ChainError } from "@finality/tron/errors";
import { type Address, cleanLabel, freeLabel, labelFault, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { passProgram } from "../../host/prompts/notify.ts";
import { inputBox } from "../../host/prompts/quick-input.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { nextLabel } from "./account.view.ts";

/** What the commands of accounts give back: never a key. */
export interface AccountResult {
  readonly address: string;
  readonly hex: Address;
  readonly label: string;
}

export function resultOf(hex: Address, label: string): AccountResult {
  return { address: toBase58(hex), hex, label };
}

/**
 * The label that was told, with a number where it is taken, or a free one when nobody is to be asked.
 *
 * @param named - the account that has it already, whose own label is free for it
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export async function labelFor(
  keys: SigningKeys,
  { argument, named }: { readonly argument: string | undefined; readonly named?: Address },
  asks: boolean,
  title: string,
): Promise<string | undefined> {
  const taken = keys.takenNames(named);
  const proposed = argument === undefined || labelFault(argument, []) === "empty" ? nextLabel(taken) : argument;
  if (!asks) {
    if (labelFault(proposed, []) === undefined) return freeLabel(proposed, taken);
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", {
      argument: "label",
      reason: t`it has characters that cannot be seen`,
    });
  }
  const label = await inputBox({
    title,
    ignoreFocusOut: true,
    value: proposed,
    prompt: t`A name for the account`,
    validateInput: (text) => whyNoLabel(text, taken),
  });
  return label === undefined ? undefined : cleanLabel(label);
}

/**
 * Asks about an account that a program adds, with its whole address: from then on the name means this address.
 *
 * @param what - what the account is here, as a sentence
 */
export async function passAccount(keys: SigningKeys, address: Address, label: string, what: string): Promise<boolean> {
  const [name, meant] = [visibleLine(label, 60), keys.meaningOf(label)];
  const lines = [
    what,
    t`Commands and scripts that pay “${name}” pay this address from then on.`,
    ...(meant === undefined || meant === address ? [] : [t`“${name}” meant ${toBase58(meant)} before.`]),
  ];
  return await passProgram({ title: t`Add ${toBase58(address)} as “${name}”?`, detail: lines.join("\n\n") }, t`Add`);
}

function whyNoLabel(text: string, taken: readonly string[]): string | undefined {
  switch (labelFault(text, taken)) {
    case "empty":
      return t`An account needs a name.`;
    case "unseen":
      return t`It has characters that cannot be seen. Type the name anew.`;
    case "taken":
      return t`Another account or address has this name, or one that looks like it.`;
    case undefined:
      return undefined;
  }
}
