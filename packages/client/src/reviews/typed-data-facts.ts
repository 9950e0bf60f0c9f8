import { isChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import type { TypedData } from "@finality/tron/typed-data";
import type { Gateway } from "../gateway/gateway.ts";
import type { ChainId } from "../gateway/network.ts";
import type { Token } from "../tokens.ts";
import { type TypedDataFacts, typedDataTokens } from "./message-review.view.ts";

/** Sources of the facts of a chain that the review of typed data needs. */
export interface TypedDataSources {
  readonly gateway: Pick<Gateway, "headBlock">;
  readonly chain: () => Promise<ChainId | undefined>;
  readonly tokenAt: (address: Address) => Promise<Token>;
}

/**
 * Reads the facts of a chain. One that the gateway does not report is missing, and the review names it.
 *
 * @throws {ChainError} `TOKEN_DECIMALS_DIFFER`, `CHAIN_CHANGED`, `CHAINS_DIFFER`
 */
export async function readTypedDataFacts(
  data: TypedData,
  { gateway, chain, tokenAt }: TypedDataSources,
  signal?: AbortSignal,
): Promise<Pick<TypedDataFacts, "chain" | "headTime" | "tokens">> {
  const [known, headTime] = await Promise.all([
    unlessRefused(chain()),
    unlessRefused(gateway.headBlock(signal).then(({ timestamp }) => timestamp)),
  ]);
  const tokens: Token[] = [];
  for (const address of typedDataTokens(data)) {
    const token = await unlessRefused(tokenAt(address));
    if (token !== undefined) tokens.push(token);
  }
  return { chain: known, headTime, tokens };
}

/** Errors that a gateway causes leave a fact unknown. Two decimals of one token stop the signature. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isChainError(error) && !STOPPING.has(error.code)) return undefined;
    throw error;
  }
}

const STOPPING: ReadonlySet<string> = new Set(["TOKEN_DECIMALS_DIFFER", "CHAIN_CHANGED", "CHAINS_DIFFER"]);
