import type { AdversarySimulation } from "./adversary-simulation.ts";

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
