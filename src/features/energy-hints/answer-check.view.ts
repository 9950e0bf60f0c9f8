import type { MissingValue } from "@finality/client/call-sites";
import { inputFromText, parseSignature, typedValues } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { coinsText, sunText } from "@finality/tron/format";
import { foreignText, parseAmount, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

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
export function checkAnswer(missing: MissingValue, text: string): AnswerCheck {
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
