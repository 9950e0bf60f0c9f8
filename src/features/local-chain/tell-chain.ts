import { ChainError } from "../../core/errors/chain-error.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import { askLocalChain } from "../../host/local-chain/local-chain-control.ts";

/**
 * Has the chain do something.
 *
 * @param argument - the field of the command that a refusal is about
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` with the sentence of the chain; `GATEWAY_UNREACHABLE`
 */
export async function tellChain(
  baseUrl: string,
  control: string,
  body: JsonObject,
  argument: string,
): Promise<JsonObject> {
  const answer = await askLocalChain(baseUrl, control, body);
  if (typeof answer.error !== "string") return answer;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason: answer.error.replace(/\.$/, "") });
}
