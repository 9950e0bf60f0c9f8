import { dice } from "../../support/random/dice.ts";
import { isBroadcast } from "../proxy.ts";
import type { Passing } from "./watched-proxy.ts";

/** A moment to kill a host at: so long after the n-th request of its life was at this place on its way. */
export interface Moment {
  readonly nth: number;
  readonly of: "any request" | "broadcasts";
  readonly at: Passing["at"];
  /** 0 is before anything else happens to that request. */
  readonly delayMs: number;
}

const REQUESTS_OF_A_FEW_PAYMENTS = 40;
const BROADCASTS = 4;
const LONGEST_DELAY_MS = 12;
const PLACES: readonly Passing["at"][] = ["before", "answered", "after"];

/** Random moments of sending, every other one around a broadcast; the same for the same seed. */
export function moments(seed: number, count: number): readonly Moment[] {
  const roll = dice(seed);
  return Array.from({ length: count }, (_, index): Moment => {
    const broadcast = index % 2 === 0;
    return {
      nth: 1 + roll(broadcast ? BROADCASTS : REQUESTS_OF_A_FEW_PAYMENTS),
      of: broadcast ? "broadcasts" : "any request",
      at: PLACES[roll(PLACES.length)] ?? "before",
      delayMs: roll(2) === 0 ? 0 : roll(LONGEST_DELAY_MS),
    };
  });
}

/** Tells when the moment has come, asked about each thing that passes in the life of one host. */
export function waitFor({ nth, of, at }: Moment): (passing: Passing) => boolean {
  let seen = 0;
  return ({ path, at: place }) => {
    if (place !== at || (of === "broadcasts" && !isBroadcast(path))) return false;
    seen += 1;
    return seen === nth;
  };
}
