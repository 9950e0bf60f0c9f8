import { randomBytes, timingSafeEqual } from "node:crypto";
import { ChainError } from "@finality/tron/errors";
import { chainProof, isJsonObject, type JsonObject, parseJson, printJson } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

const PATIENCE_MS = 10_000;

/**
 * One request to the control of the local chain. A refusal is an answer too: its `error` is a sentence.
 *
 * @param body - absent for a question, which changes nothing
 * @throws {ChainError} `GATEWAY_UNREACHABLE` nobody answers, or no chain of ours does
 */
export async function askLocalChain(
  baseUrl: string,
  control: string,
  body?: JsonObject,
  method: "POST" | "DELETE" = "POST",
): Promise<JsonObject> {
  const request = body === undefined ? {} : { method, body: printJson(body) };
  try {
    const answer = await fetch(`${baseUrl}/local/${control}`, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
    const json = parseJson(await answer.text());
    if (isJsonObject(json)) return json;
  } catch (error) {
    throw unreachable(baseUrl, error instanceof Error ? error.message : String(error));
  }
  throw unreachable(baseUrl, t`what it answers is no object`);
}

function unreachable(endpoint: string, reason: string): ChainError {
  return new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason });
}

/**
 * Has who answers at a URL prove that it is the chain whose ready line had this secret. A port is anybody's, a file
 * too, and the number of a process is given out again: only the secret counts.
 *
 * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN` somebody else answers; `GATEWAY_UNREACHABLE` nobody does
 */
export async function proveLocalChain(baseUrl: string, secret: string): Promise<void> {
  const challenge = randomBytes(32).toString("hex");
  const { proof } = await askLocalChain(baseUrl, "prove", { challenge });
  if (isSame(proof, chainProof(secret, baseUrl, challenge))) return;
  throw new ChainError("LOCAL_CHAIN_UNPROVEN", { baseUrl });
}

function isSame(proof: unknown, wanted: string): boolean {
  return (
    typeof proof === "string" &&
    /^[0-9a-f]{64}$/.test(proof) &&
    timingSafeEqual(Buffer.from(proof), Buffer.from(wanted))
  );
}
