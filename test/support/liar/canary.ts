import { inspect } from "node:util";
import { printBoundSecret } from "../../../src/host/secrets/secret-store.ts";

/**
 * The API key of the network Main. It must never be anywhere but in the headers of requests to the origin that it was
 * entered for.
 */
const CANARY = "canary-0f9d3b7a5c1e";
const IN_HEX = Buffer.from(CANARY).toString("hex");

/** The key as it is stored for this origin. */
export function canaryFor(origin: string): string {
  return printBoundSecret({ value: CANARY, origins: [origin] });
}

export function holdsCanary(text: string): boolean {
  const found = text.toLowerCase();
  return found.includes(CANARY) || found.includes(IN_HEX);
}

/** Returns true if a value, an error or anything inside of them contains the canary. */
export function tellsCanary(value: unknown): boolean {
  return holdsCanary(typeof value === "string" ? value : inspect(value, { depth: 8, maxStringLength: null }));
}
