import { MockAgent } from "undici";
import { explain } from "../../../packages/client/src/explain/explain.ts";
import type { Explanation } from "../../../packages/client/src/explain/explanation.ts";
import type { BroadcastOutcome, TransactionInfo } from "../../../packages/client/src/gateway/gateway.ts";
import type { HttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { submitTransaction } from "../../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { type AnyChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { gatewayAt, recordedTransfer } from "../fakes/gateway-fixtures.ts";
import { TRANSFER } from "../tracking/journal-entries.ts";
import { MemoryJournal } from "../tracking/memory-journal.ts";
import type { NetworkText } from "./network-texts.ts";

const ORIGIN = "http://127.0.0.1:9";
export const BROADCAST_PATH = "/wallet/broadcasttransaction";

/** Results of the three readers of a broadcast answer. */
export interface BroadcastReadings {
  readonly explanation: Explanation;
  readonly outcome: BroadcastOutcome;
  readonly tracked: TrackedTransaction;
}

/** Result of the gateway client for the answer to a query. */
export type InfoReading =
  | { readonly kind: "info"; readonly info: TransactionInfo | undefined }
  | { readonly kind: "error"; readonly error: AnyChainError };

/** Reads texts as answers of a gateway, with the real gateway client and the real tracker. */
export class NetworkReaders implements AsyncDisposable {
  readonly #agent = new MockAgent();
  readonly #gateway: HttpGateway;
  #answer: NetworkText | string = "";

  constructor() {
    this.#agent.disableNetConnect();
    const pool = this.#agent.get(ORIGIN);
    const any = { path: () => true, method: "POST" };
    pool
      .intercept(any)
      .reply(() => this.#reply())
      .persist();
    this.#gateway = gatewayAt(ORIGIN, {}, { dispatcher: this.#agent, deadlineMs: 1 }).gateway;
  }

  /** A text that names an error stands for no answer: its code is what the network stack says. */
  async broadcast(answer: NetworkText | string, explained = explanationOf(answer)): Promise<BroadcastReadings> {
    this.#answer = answer;
    const transaction = recordedTransfer();
    const outcome = (await this.#gateway.broadcast(transaction)).outcome;
    const clock = new FakeClock();
    const gateway = this.#gateway;
    const log = new TransactionTracker({ store: new MemoryJournal(), gatewayFor: async () => gateway, clock });
    const context = { network: "test", intent: TRANSFER, expiration: 9, solidHeight: 0 };
    const tracked = await submitTransaction({ log, gateway, clock }, transaction, context);
    return { explanation: explained, outcome, tracked };
  }

  async info(answer: NetworkText, txId: TxId): Promise<InfoReading> {
    this.#answer = answer;
    try {
      return { kind: "info", info: await this.#gateway.solidTransactionInfo(txId) };
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { kind: "error", error };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  #reply(): { statusCode: number; data: string } {
    const answer = this.#answer;
    if (typeof answer === "string") throw Object.assign(new Error(answer), { code: answer });
    return { statusCode: answer.status, data: answer.body };
  }
}

function explanationOf(answer: NetworkText | string): Explanation {
  if (typeof answer === "string") return explain(answer);
  return explain(answer.body, { status: answer.status, endpoint: BROADCAST_PATH });
}
