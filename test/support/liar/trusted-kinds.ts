import type { LiarSimulation } from "./liar-simulation.ts";

interface TrustedKind {
  /** Its name in the table of docs/security.md. */
  readonly name: string;
  /** What the judge calls it. */
  readonly what: readonly string[];
  /** Whether nobody but the liar could have shown it. */
  readonly where: (simulation: LiarSimulation) => boolean;
  /** Whether what follows from it is no longer judged. */
  readonly ends: boolean;
}

/** What a single gateway can still make people believe; the table of docs/security.md has exactly these. */
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
export function convinced(simulation: LiarSimulation, what: string): TrustedKind | undefined {
  return trustedKinds.find((it) => it.what.includes(what) && it.where(simulation));
}

function isAlone({ hasHonestUrl }: LiarSimulation): boolean {
  return !hasHonestUrl;
}

/** Bytes that were refused and kept are nowhere until they are handed on: no second URL can show them either. */
function isUnseenRefusal(simulation: LiarSimulation): boolean {
  return simulation.hasRefused && (isAlone(simulation) || !simulation.wasVisible);
}
