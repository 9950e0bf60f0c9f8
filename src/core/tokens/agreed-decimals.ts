import { ChainError } from "../errors/chain-error.ts";
import { type Address, toBase58 } from "../primitives/address.ts";

/** How many decimals somebody says that a token has. */
export interface SaidDecimals {
  /** The URL that says so. */
  readonly by: string;
  readonly decimals: number;
}

/**
 * The decimals of a token that its amounts are read by. They are the word of a gateway: each of its URLs has to say the
 * same, and the same as the first time.
 *
 * @param pinned - what was said at the first use
 * @throws {ChainError} `TOKEN_DECIMALS_DIFFER`
 */
export function agreedDecimals(
  token: Address,
  said: SaidDecimals,
  others: readonly SaidDecimals[],
  pinned?: number,
): number {
  const sources = [
    ...(pinned === undefined ? [] : [{ source: "what was said when it was first used here", other: pinned }]),
    ...others.map(({ by, decimals: other }) => ({ source: `what ${by} says`, other })),
  ];
  const dispute = sources.find(({ other }) => other !== said.decimals);
  if (dispute === undefined) return said.decimals;
  const { by: endpoint, decimals } = said;
  throw new ChainError("TOKEN_DECIMALS_DIFFER", { token: toBase58(token), endpoint, decimals, ...dispute });
}
