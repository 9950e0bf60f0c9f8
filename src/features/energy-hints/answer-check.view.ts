import { t } from "@vscode/l10n";
import { parseSignature } from "../../core/abi/abi-signature.ts";
import { inputFromText, typedValues } from "../../core/abi/typed-value.ts";
import type { Missing } from "../../core/call-sites/binding.ts";
import { isChainError } from "../../core/errors/chain-error.ts";
import { parseAmount, wholeNumberIn } from "../../core/primitives/parse-amount.ts";
import { foreignText } from "../../core/primitives/plain-text.ts";
import { coinsText, sunText } from "../../words/forms/coins.ts";

/**
 * What is wrong with an answer while it is typed, and how an amount is understood; both empty where nothing can be
 * said.
 */
export interface AnswerCheck {
  readonly fault?: string;
  readonly understood?: string;
}

/**
 * Checks an answer before it is remembered: one that cannot be used would stand in the way of the call until it is
 * forgotten. Names of accounts and contracts are not known here: whatever holds an address passes.
 */
export function checkAnswer(missing: Missing, text: string): AnswerCheck {
  try {
    if (missing.kind === "amount") return checkAmount(missing.key, text);
    return missing.kind === "argument" ? checkArgument(missing.type, text) : {};
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { fault: error.message };
  }
}

function checkAmount(key: string, text: string): AnswerCheck {
  if (key.startsWith("amount token"))
    return wholeNumberIn(text) === undefined ? { fault: t`Write a whole number, such as 1000001.` } : {};
  const amount = parseAmount(text);
  return { understood: `${sunText(amount)}, ${coinsText(amount)}` };
}

function checkArgument(type: string, text: string): AnswerCheck {
  // The type has no names of fields, and a tuple may be given by them.
  if (type.includes("address") || (type.includes("(") && text.includes("{"))) return {};
  const { parameters } = parseSignature(`f(${type})`);
  const [parameter] = parameters;
  if (parameter === undefined) return {};
  const typed = typedValues(
    [{ ...parameter, name: foreignText(type) }],
    [inputFromText(parameter.type, text)],
    () => undefined,
  );
  if (typed.ok) return {};
  const faults = typed.misfits.map(({ path, reason }) => (path === type ? reason : `${path}: ${reason}`));
  return { fault: t`${capital(faults.join(t`; `))}.` };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
