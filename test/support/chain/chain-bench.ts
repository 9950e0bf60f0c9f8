import type { BroadcastOutcome } from "../../../packages/client/src/gateway/gateway.ts";
import { createHttpGateway, type HttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import {
  type Resubmission,
  resubmitTransaction,
  type SubmissionServices,
  submitTransaction,
} from "../../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import type { LocalChainOptions } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { bytesToHex, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { type JsonObject, parseJson, printJson } from "../../../packages/tron/src/primitives/json.ts";
import {
  rawDataFromIntent,
  type SignedTransaction,
  type Validity,
} from "../../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import {
  addressOfPrivateKey,
  generatePrivateKey,
  type PrivateKey,
  parsePrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { profileAt } from "../fakes/gateway-fixtures.ts";
import { MemoryJournal } from "../tracking/memory-journal.ts";

/** An account with its key. */
export interface Person {
  readonly address: Address;
  readonly key: PrivateKey;
}

/** A person whom the chain does not know yet. */
export function stranger(): Person {
  const key = generatePrivateKey();
  return { key, address: addressOfPrivateKey(key) };
}

export const COIN = 1_000_000n;

/** A transfer as an intent. */
export function payment(owner: Person, to: Address, amount = 1n): Intent {
  return { kind: "transfer", owner: owner.address, to, amount: sun(amount) };
}

/** Overrides of the validity of a built transaction. */
type ValidityChange = Partial<Validity>;

/**
 * An embedded chain without blocks of its own, and the client that talks to it over HTTP: gateway, tracker, submission.
 * Blocks come when a test says `mine` or `warp`.
 */
export class ChainBench implements AsyncDisposable {
  readonly chain: LocalChain;
  readonly clock = new FakeClock();
  readonly gateway: HttpGateway;
  readonly tracker: TransactionTracker;
  readonly services: SubmissionServices;
  #made = 0;

  private constructor(chain: LocalChain) {
    this.chain = chain;
    const { clock } = this;
    this.gateway = createHttpGateway(profileAt(chain.baseUrl), { clock, random: () => 0 });
    this.tracker = new TransactionTracker({
      store: new MemoryJournal(),
      gatewayFor: async () => this.gateway,
      clock,
    });
    this.services = { log: this.tracker, gateway: this.gateway, clock };
  }

  static async start(options: LocalChainOptions = {}): Promise<ChainBench> {
    return new ChainBench(await startLocalChain({ blockTimeMs: 0, ...options }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway.close();
    await this.chain.close();
  }

  /** One of the accounts with 10,000 coins. */
  person(index: number): Person {
    const account = this.chain.ready.accounts[index];
    if (account === undefined) throw new RangeError(`There is no account ${index}.`);
    return { address: parseAddress(account.address), key: parsePrivateKey(account.privateKey) };
  }

  /** The newest block's height and time; chain time in ms. */
  get head(): { readonly number: number; readonly timestamp: number } {
    return this.chain.simulation.chain.head.header;
  }

  mine(blocks = 1): Promise<JsonObject> {
    return this.ask("/local/mine", { blocks });
  }

  /** Lets chain time pass without blocks, then makes one. */
  warp(ms: number): Promise<JsonObject> {
    return this.ask("/local/warp", { ms });
  }

  fund(address: Address, amount: bigint): Promise<JsonObject> {
    return this.ask("/local/fund", { address, amount });
  }

  /** One request to the node or its control port, past our gateway. */
  async ask(path: string, body: JsonObject = {}): Promise<JsonObject> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${this.chain.baseUrl}${path}`, { method: "POST", body: printJson(body), headers });
    return parseJson(await answer.text()) as JsonObject;
  }

  /** Signed by these people; by its owner's key alone, they are one. Each call makes another transaction. */
  signed(intent: Intent, signers: readonly Person[], change: ValidityChange = {}): SignedTransaction {
    const { head, solid } = this.chain.simulation.chain;
    const now = head.header.timestamp;
    const validity = { referenceBlock: solid.id, expiration: now + 60_000, timestamp: now + ++this.#made, ...change };
    const bytes = encodeRawData(rawDataFromIntent(intent, validity));
    const txId = transactionId(bytes);
    return { txId, rawDataHex: bytesToHex(bytes), signatures: signers.map(({ key }) => signTransactionId(txId, key)) };
  }

  async outcome(transaction: SignedTransaction): Promise<BroadcastOutcome> {
    return (await this.gateway.broadcast(transaction)).outcome;
  }

  /** Journal, attempt, broadcast, answer: the way of everything that the extension sends. */
  submit(transaction: SignedTransaction, intent: Intent, expiration: number): Promise<TrackedTransaction> {
    const solidHeight = this.chain.simulation.chain.solid.header.number;
    return submitTransaction(this.services, transaction, { network: "Test", intent, expiration, solidHeight });
  }

  again(txId: TxId): Promise<Resubmission> {
    return resubmitTransaction(this.services, txId);
  }

  async balance(address: Address): Promise<bigint> {
    return (await this.gateway.account(address))?.balance ?? 0n;
  }

  async pendingSize(): Promise<number> {
    return Number((await this.ask("/wallet/getpendingsize")).pendingSize);
  }

  /** Counts the blocks of the chain that contain the transaction. */
  async timesIncluded(txId: TxId): Promise<number> {
    let count = 0;
    for (let start = 0; start <= this.head.number; start += 100) {
      const { block } = await this.ask("/wallet/getblockbylimitnext", { startNum: start, endNum: start + 100 });
      for (const { transactions } of (block ?? []) as readonly { transactions?: readonly JsonObject[] }[]) {
        count += (transactions ?? []).filter((it) => it.txID === txId).length;
      }
    }
    return count;
  }

  /** Number of requests to this path since the chain started or `DELETE /local/requests`. */
  requests(path: string): number {
    return this.chain.simulation.requests.report().paths[path] ?? 0;
  }
}
