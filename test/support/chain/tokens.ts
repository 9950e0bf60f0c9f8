import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { done, textAsHex } from "./build-and-send.ts";
import type { TestChain } from "./test-chain.ts";

/** Id of the first token of a chain. */
export const FIRST_TOKEN = textAsHex("1000001");
export const DAY_MS = 86_400_000;

/** The body of a request that issues a token; it is sold from 9 seconds after the newest block on, for a day. */
export function tokenBody({ simulation }: Pick<TestChain, "simulation">, changes: JsonObject = {}): JsonObject {
  const start = simulation.chain.head.header.timestamp + 9000;
  return {
    name: textAsHex("Coin"),
    abbr: textAsHex("CN"),
    url: textAsHex("http://t.invalid"),
    description: textAsHex("about"),
    total_supply: 1_000_000,
    precision: 2,
    trx_num: 10,
    num: 3,
    start_time: start,
    end_time: start + DAY_MS,
    ...changes,
  };
}

/** Issues a token of the first account, or of another. */
export async function issue(chain: TestChain, changes: JsonObject = {}, by = 0): Promise<JsonObject> {
  return await done(chain, "createassetissue", tokenBody(chain, changes), by);
}
