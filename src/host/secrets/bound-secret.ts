import type { Bound } from "../../core/gateway/bound-credential.ts";
import { isJsonObject } from "../../core/primitives/json.ts";

/** Begins a stored credential that carries the origins which it was entered for. Older versions stored the bare credential. */
const MARK = "finality:bound:";

export function printBoundSecret({ value, origins }: Bound<string>): string {
  return MARK + JSON.stringify({ secret: value, origins });
}

/** What is stored: bound, or bare as older versions wrote it. */
export function parseBoundSecret(stored: string): Bound<string> | string {
  if (!stored.startsWith(MARK)) return stored;
  const json = parsed(stored.slice(MARK.length));
  const { secret = "", origins = [] } = isJsonObject(json) ? json : {};
  // Damaged: it goes nowhere.
  if (typeof secret !== "string" || !Array.isArray(origins)) return { value: "", origins: [] };
  return { value: secret, origins: origins.filter((it) => typeof it === "string") };
}

/** The secret itself, for masking. */
export function bareSecret(stored: string): string {
  const secret = parseBoundSecret(stored);
  return typeof secret === "string" ? secret : secret.value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
