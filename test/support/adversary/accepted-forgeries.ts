import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AdversarySimulation } from "./adversary-simulation.ts";

/** The page that says who is believed for what. */
export const SECURITY_PAGE = readFileSync(join(import.meta.dirname, "../../../docs/security.md"), "utf8");

/** The cells of a table of the page, by the first word of its head. */
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
export function kindsOfPage(page = SECURITY_PAGE): readonly string[] {
  return tableOf("kind", page).map(([name = ""]) => name.replaceAll("`", ""));
}

interface TrustedKind {
  /** Its name in the table of docs/security.md. */
  readonly name: string;
  /** Names of the broken promises. */
  readonly what: readonly string[];
  /** Returns true if no honest source could have refuted it. */
  readonly where: (simulation: AdversarySimulation) => boolean;
  /** True if the run ends with it. */
  readonly ends: boolean;
}

/** Forgeries of a single gateway that are believed; the table of docs/security.md has exactly these. */
export const trustedKinds: readonly TrustedKind[] = [
  { name: "head time", what: ["the expiration"], where: () => true, ends: false },
  { name: "decimals", what: ["the decimals"], where: () => true, ends: false },
  { name: "ABI", what: ["the function"], where: () => true, ends: false },
  { name: "fee limit", what: ["the fee limit"], where: () => true, ends: false },
  { name: "refusal", what: ["twice"], where: isUnseenRefusal, ends: true },
  {
    name: "outcome",
    what: ["twice"],
    where: (simulation) => simulation.hasInvented && isAlone(simulation),
    ends: true,
  },
];

/** @returns the kind that it is; undefined for what must never be */
export function convinced(simulation: AdversarySimulation, what: string): TrustedKind | undefined {
  return trustedKinds.find((it) => it.what.includes(what) && it.where(simulation));
}

function isAlone({ hasHonestUrl }: AdversarySimulation): boolean {
  return !hasHonestUrl;
}

/** Bytes that were refused and kept are nowhere until they are handed on: no second URL can show them either. */
function isUnseenRefusal(simulation: AdversarySimulation): boolean {
  return simulation.hasRefused && (isAlone(simulation) || !simulation.wasVisible);
}
