import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AdversarySimulation } from "./adversary-simulation.ts";

/** Text of docs/security.md. */
export const SECURITY_PAGE = readFileSync(join(import.meta.dirname, "../../../docs/security.md"), "utf8");

/** Returns the cells of the table whose header begins with `head`. */
export function tableOf(head: string, page = SECURITY_PAGE): readonly (readonly string[])[] {
  const lines = page.split("\n");
  const begin = lines.findIndex((it) => it.startsWith(`| ${head} |`));
  if (begin < 0) throw new Error(`The page has no table of "${head}".`);
  const rows = lines.slice(begin + 2);
  const end = rows.findIndex((it) => !it.startsWith("|"));
  return rows.slice(0, end < 0 ? undefined : end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((it) => it.trim()),
  );
}

/** Returns the names of the forgeries that docs/security.md lists. */
export function documentedForgeries(page = SECURITY_PAGE): readonly string[] {
  return tableOf("kind", page).map(([name = ""]) => name.replaceAll("`", ""));
}

interface AcceptedForgery {
  /** Its name in the table of docs/security.md. */
  readonly name: string;
  /** Detail of the broken promise. */
  readonly promise: string;
  /** Returns true if no honest source could have refuted it. */
  readonly where: (simulation: AdversarySimulation) => boolean;
  /** True if the run ends with it. */
  readonly ends: boolean;
}

/** Forgeries of a single gateway that are believed; the table of docs/security.md has exactly these. */
export const acceptedForgeries: readonly AcceptedForgery[] = [
  { name: "head time", promise: "the expiration", where: () => true, ends: false },
  { name: "decimals", promise: "the decimals", where: () => true, ends: false },
  { name: "ABI", promise: "the function", where: () => true, ends: false },
  { name: "fee limit", promise: "the fee limit", where: () => true, ends: false },
  { name: "refusal", promise: "twice", where: isUnseenRefusal, ends: true },
  {
    name: "outcome",
    promise: "twice",
    where: (simulation) => simulation.hasInvented && isAlone(simulation),
    ends: true,
  },
];

/** Returns the documented forgery that explains a broken promise; undefined for a failure. */
export function acceptedForgeryFor(simulation: AdversarySimulation, promise: string): AcceptedForgery | undefined {
  return acceptedForgeries.find((it) => it.promise === promise && it.where(simulation));
}

function isAlone({ hasHonestUrl }: AdversarySimulation): boolean {
  return !hasHonestUrl;
}

/** Refused bytes that the gateway keeps are on no other URL until it relays them. */
function isUnseenRefusal(simulation: AdversarySimulation): boolean {
  return simulation.hasRefused && (isAlone(simulation) || !simulation.wasVisible);
}
