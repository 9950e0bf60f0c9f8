import type { Bound } from "@finality/client/gateway";
import { listOf, object, text, tryReadJson } from "@finality/tron/read";

/**
 * Begins a stored credential that carries the origins which it was entered for. Older versions stored the bare
 * credential.
 */
const MARK = "finality:bound:";

const boundSecret = object({ secret: text, origins: listOf(text) });

export function printBoundSecret({ value, origins }: Bound<string>): string {
  return MARK + JSON.stringify({ secret: value, origins });
}

/** What is stored: bound, or bare as older versions wrote it. */
export function parseBoundSecret(stored: string): Bound<string> | string {
  if (!stored.startsWith(MARK)) return stored;
  const bound = tryReadJson(boundSecret, stored.slice(MARK.length));
  // Damaged: it goes nowhere.
  return bound === undefined ? { value: "", origins: [] } : { value: bound.secret, origins: bound.origins };
}

/** The secret itself, for masking. */
export function bareSecret(stored: string): string {
  const secret = parseBoundSecret(stored);
  return typeof secret === "string" ? secret : secret.value;
}
