import {
  type Address,
  addressToBytes,
  bytesToBase58Check,
  parseAddress,
  toBase58,
} from "../../../packages/tron/src/primitives/address.ts";
import { type Json, parseJson, printJson } from "../../../packages/tron/src/primitives/json.ts";
import type { RecordedExchange } from "../recorded/exchanges.ts";

/**
 * A contract's address comes from the id of the transaction that makes it, so it is another one on another chain.
 * Requests and recorded answers follow, in each spelling that a node uses.
 */
export class AddressTranslation {
  readonly #spellings = new Map<string, string>();

  learn(recorded: string, here: Address): void {
    const [before, after] = [spellings(parseAddress(recorded)), spellings(here)];
    for (const [index, text] of before.entries()) this.#spellings.set(text, after[index] ?? text);
  }

  json(json: Json): Json {
    return this.#spellings.size === 0 ? json : parseJson(this.#text(printJson(json)));
  }

  /** The exchange as it would have been recorded here. */
  answer(exchange: RecordedExchange): RecordedExchange {
    const { responseBody, responseText } = exchange;
    return {
      ...exchange,
      responseBody: this.json(responseBody),
      ...(responseText !== undefined && { responseText: this.#text(responseText) }),
    };
  }

  #text(text: string): string {
    let result = text;
    for (const [recorded, here] of this.#spellings) result = result.replaceAll(recorded, here);
    return result;
  }
}

/** Hex and base58, each also without the chain's prefix, as words and logs have it. */
function spellings(address: Address): readonly string[] {
  const bytes = addressToBytes(address);
  return [address.slice(2), toBase58(address), bytesToBase58Check(bytes.slice(1))];
}
