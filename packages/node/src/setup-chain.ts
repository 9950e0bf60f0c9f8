import type { SetupChain, SetupOutcome } from "@finality/client/call-tests";
import type { CodeIntent } from "@finality/client/estimates";
import type { Gateway } from "@finality/client/gateway";
import {
  type Address,
  bytesToHex,
  hex,
  hexToBytes,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
  type Sun,
} from "@finality/tron/primitives";
import { builtFromIntent, DEFAULT_EXPIRATION_AHEAD_MS, transactionBytes } from "@finality/tron/transaction";

/** Name of the snapshot that `isolated` takes. */
const SNAPSHOT = "before-setup";

/**
 * Local chain that this program started, and that executes transactions without signatures. Any other node refuses
 * them. Its blocks are made on request.
 */
export class UnsignedChain implements SetupChain {
  readonly #baseUrl: string;
  readonly #gateway: Pick<Gateway, "headBlock" | "headTransactionInfo">;

  constructor(baseUrl: string, gateway: Pick<Gateway, "headBlock" | "headTransactionInfo">) {
    this.#baseUrl = baseUrl;
    this.#gateway = gateway;
  }

  async execute(intent: CodeIntent): Promise<SetupOutcome> {
    const { id: referenceBlock, timestamp } = await this.#gateway.headBlock();
    if (referenceBlock === undefined) return refused("BLOCK_UNKNOWN");
    const validity = { referenceBlock, timestamp, expiration: timestamp + DEFAULT_EXPIRATION_AHEAD_MS };
    const { txId, rawDataHex } = builtFromIntent(intent, validity);
    await this.#post("/tre", { jsonrpc: "2.0", id: 1, method: "tre_unlockedAccounts", params: [[intent.owner]] });
    const transaction = bytesToHex(transactionBytes(hexToBytes(rawDataHex), []));
    const answer = await this.#post("/wallet/broadcasthex", { transaction });
    if (answer.result !== true) return refused(textOf(answer.code), textOf(answer.message));
    await this.#post("/local/mine", { blocks: 1 });
    const info = await this.#gateway.headTransactionInfo(txId);
    if (info === undefined) return refused("NOT_INCLUDED");
    const { failed, receiptResult = "", message, contractResult: data, contractAddress: contract } = info;
    return failed ? { kind: "failed", result: receiptResult, message, data } : { kind: "success", contract };
  }

  /** Gives coins to an account. @param amount - sun */
  async fund(address: Address, amount: Sun): Promise<void> {
    await this.#post("/local/fund", { address, amount: String(amount) });
  }

  /** Runs a function, then restores the state of the chain. */
  async isolated<T>(run: () => Promise<T>): Promise<T> {
    await this.#post("/local/snapshot", { id: SNAPSHOT });
    try {
      return await run();
    } finally {
      await this.#post("/local/restore", { id: SNAPSHOT });
    }
  }

  async #post(path: string, body: JsonObject): Promise<JsonObject> {
    const response = await fetch(this.#baseUrl + path, { method: "POST", body: printJson(body) });
    const answer = parseJson(await response.text());
    if (!response.ok || !isJsonObject(answer)) throw new Error(`${path}: ${printJson(answer)}`);
    return answer;
  }
}

function refused(result: string, message = ""): SetupOutcome {
  return { kind: "failed", result, message, data: hex("") };
}

function textOf(json: Json | undefined): string {
  return typeof json === "string" ? json : "";
}
