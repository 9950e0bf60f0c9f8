import { returning } from "./contract-fixture.ts";

/** Small contracts, with their call data. */
export type SoakCode = keyof typeof SOAK_CODES;

/** A child that ends itself for the good of who calls it without coins: init code of sixteen bytes. */
const CHILD = "673460065733ff5b005f5260086018f3";

/** Runtime code by what it does. */
export const SOAK_CODES = {
  stores: "5f35805500",
  fails: "5f5ffd",
  burns: "fe",
  loops: "5b5f56",
  /** Sends the second word in sun to the first: an account, a missing account, a contract, itself. */
  pays: "5f5f5f5f6020355f355af100",
  /** Passes on half of the tokens that came along. */
  paysTokens: "5f5f5f5fd3d260011c5f355ad000",
  paysAndFails: "5f5f5f5f6020355f355af15f5ffd",
  /** Makes a child with what came along, and ends it. */
  makes: `6f${CHILD}5f526010601034f05f5f5f5f5f855af100`,
  /** Ends itself: the first inherits, which may be itself. */
  ends: "5f35ff",
  /** Makes a child, ends it, and sends it a sun when it is too late. */
  paysTheDead: `6f${CHILD}5f52601060105ff05f5f5f5f5f855af1505f5f5f5f6001855af100`,
  /** Stakes the first for energy, or takes it back when there is a second. */
  stakes: "602035600c575f356001da005b5f356001db00",
} as const;

/** Init code that ends in its own ways. */
export const SOAK_INIT_CODES: readonly string[] = ["5f5ffd", "60ef5f5360015ff3", "fe", "", "5b5f56"];

export function soakInitCode(code: SoakCode): string {
  return returning(SOAK_CODES[code]);
}
