import { isChainError } from "@finality/tron/errors";
import type { Address, Hex, Json, JsonObject, Sun, TxId } from "@finality/tron/primitives";
import type { BuiltTransaction, IntentOf, SignedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { Dispatcher } from "undici";
import type { SignWeight } from "../../permissions/permissions.ts";
import type { Clock } from "../clock.ts";
import type {
  Account,
  AccountGateway,
  AccountResources,
  Block,
  BroadcastAnswer,
  ChainParameters,
  ContractGateway,
  ContractRun,
  Delegation,
  DelegationIndex,
  DelegationParties,
  DeployedContract,
  FoundTransaction,
  Gateway,
  Head,
  NodeInfo,
  Probe,
  SimulatedRun,
  StorageGateway,
  TransactionInfo,
  TransferRequest,
  Trc10Token,
  View,
  Witness,
} from "../gateway.ts";
import type { ChainId, NetworkProfile, OriginBound } from "../network.ts";
import { fault, readAnswer } from "../wire/answer.ts";
import { broadcastBody, notSent, outcomeOfFailure, rawExcerpt, readBroadcast } from "../wire/broadcast.ts";
import { EndpointFallbacks, unlessNotServed } from "./endpoint-fallbacks.ts";
import { BROADCAST, type Endpoint, endpoints, stateEndpoint } from "./endpoints.ts";
import { createDispatcher } from "./http-dispatcher.ts";
import { FIRST_TIMEOUT_MS, isSilence, parseHttpDate } from "./http-exchange.ts";
import { GatewayMemory, HttpReader, isNotServedStatus } from "./http-reader.ts";
import { type ClockSample, type GatewayLog, HttpSender, type SendResult } from "./http-sender.ts";

export interface HttpGatewayOptions {
  readonly clock: Clock;
  /** Created by `createDispatcher`; if undefined, the gateway creates its own. */
  readonly dispatcher?: Dispatcher;
  /** Creates the token to send while JWT is enabled in the profile. */
  readonly accessToken?: OriginBound<() => Promise<string>>;
  /** Called when a request that carried a token has ended. */
  readonly tokenEnded?: (token: string) => void;
  readonly apiKey?: OriginBound<string>;
  readonly log?: GatewayLog;
  /** Called with the chain time of each head block; ms. */
  readonly sawHead?: (timestamp: number) => unknown;
  /** 0 to below 1, for the jitter of retries. */
  readonly random?: () => number;
  /** Time limit of one read with all attempts; ms. */
  readonly deadlineMs?: number;
  /** Time limit for a part of the answer in the first attempt; three times as long for a broadcast; ms. */
  readonly timeoutMs?: number;
  /** Observations about the URLs, shared by all gateways of a window. */
  readonly memory?: GatewayMemory;
}

/** Gateway with additional data for a connection test. */
export interface HttpGateway extends Gateway, ContractGateway, StorageGateway, AccountGateway {
  /** Local and gateway time at the last answer with a `Date`. */
  readonly clockSample: ClockSample | undefined;
  /** Returns the node's JSON about a transaction and its execution, for display. */
  transactionAnswers(txId: TxId, view: View, signal?: AbortSignal): Promise<TransactionAnswers>;
  /**
   * Reads an answer as it is, for a program without credentials that replays a transaction.
   *
   * @param path - below the base URL, without a slash at its begin
   * @throws {RangeError} the request reads no state
   */
  stateAnswer(path: string, body: JsonObject, signal?: AbortSignal): Promise<Json>;
  /** Closes its own connections; a dispatcher that was passed in stays open. */
  close(): Promise<void>;
}

/** Each part is undefined if the view does not have it. */
export interface TransactionAnswers {
  /** URLs that answered, joined if the parts come from two URLs. */
  readonly endpoint: string;
  readonly transaction: JsonObject | undefined;
  readonly info: JsonObject | undefined;
}

const DEADLINE_MS = 30_000;
/** Short enough to leave time for the solidified view; ms. */
const GENESIS_TIMEOUT_MS = 3_000;
/** A broadcast has a single attempt, so its time limit is longer. */
const BROADCAST_PATIENCE = 3;

/**
 * Creates a client of a node or a hosted gateway over HTTP.
 *
 * @throws {ChainError} `URL_NOT_ALLOWED` for a profile whose URLs would send keys unencrypted
 */
export function createHttpGateway(profile: NetworkProfile, options: HttpGatewayOptions): HttpGateway {
  return new UndiciGateway(profile, options);
}

class UndiciGateway implements HttpGateway {
  readonly endpoint: string;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #sender: HttpSender;
  readonly #reader: HttpReader;
  readonly #ownDispatcher: Dispatcher | undefined;
  readonly #sawHead: HttpGatewayOptions["sawHead"] | undefined;
  readonly #memory: GatewayMemory;
  readonly #ways: EndpointFallbacks;

  constructor(profile: NetworkProfile, options: HttpGatewayOptions) {
    const { clock, random = Math.random, deadlineMs = DEADLINE_MS, timeoutMs = FIRST_TIMEOUT_MS } = options;
    const { memory = new GatewayMemory() } = options;
    this.#memory = memory;
    const dispatcher = options.dispatcher ?? createDispatcher();
    this.#ownDispatcher = options.dispatcher === undefined ? dispatcher : undefined;
    this.#clock = clock;
    this.#sender = new HttpSender(profile, { ...options, dispatcher });
    const reading = { clock, random, deadlineMs, timeoutMs, memory };
    this.#reader = new HttpReader(this.#sender, { ...reading, servesAll: profile.local });
    this.#timeoutMs = timeoutMs;
    this.#sawHead = options.sawHead;
    this.endpoint = this.#sender.endpoints[0] ?? profile.baseUrl;
    this.#ways = new EndpointFallbacks(this.#reader, { ...reading, url: this.endpoint });
  }

  get clockSample(): ClockSample | undefined {
    return this.#sender.clockSample;
  }

  async close(): Promise<void> {
    await this.#ownDispatcher?.destroy();
  }

  /**
   * Requests the base URL once, by a path that every gateway serves, so that a connection test sees the first failure.
   * Reads the head afterwards.
   */
  async probe(signal?: AbortSignal): Promise<Probe> {
    const started = this.#clock.now();
    const { date } = await this.#askOnce(anyAnswer, undefined, signal);
    const durationMs = this.#clock.now() - started;
    return { head: await this.headBlock(signal), serverTime: parseHttpDate(date), durationMs };
  }

  /** Falls back to the solidified view of the same URL if the full node does not return the block: one attempt each. */
  async chainId(view: View, signal?: AbortSignal): Promise<ChainId | undefined> {
    const { headGenesis, solidGenesis } = endpoints;
    const ofSolid = async () => (await this.#askOnce(solidGenesis, undefined, signal)).answer;
    const isMissing = this.#memory.isMissing(this.endpoint, headGenesis.path, this.#clock.now());
    if (view === "solid" || (isMissing && this.#sender.hasBothViews)) return await ofSolid();
    try {
      return (await this.#askOnce(headGenesis, undefined, signal, GENESIS_TIMEOUT_MS)).answer;
    } catch (error) {
      if (!mayLackPath(error) || !this.#sender.hasBothViews) throw error;
      const answer = await ofSolid().catch(() => Promise.reject(error));
      this.#memory.noteMissing(this.endpoint, headGenesis.path, this.#clock.now());
      return answer;
    }
  }

  async broadcast(transaction: SignedTransaction, signal?: AbortSignal): Promise<BroadcastAnswer> {
    const { endpoint } = this;
    try {
      const body = broadcastBody(transaction);
      return readSent(await this.#sendBroadcast(body, signal), endpoint, transaction.txId);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isChainError(error)) throw error;
      return { endpoint, outcome: notSent(error) };
    }
  }

  buildTransfer(request: TransferRequest, signal?: AbortSignal): Promise<BuiltTransaction> {
    return this.#read(endpoints.buildTransfer, request, signal);
  }

  signWeight(transaction: SignedTransaction, signal?: AbortSignal): Promise<SignWeight> {
    return this.#read(endpoints.signWeight, transaction, signal);
  }

  async checkPermissionUpdate(intent: IntentOf<"permission-update">, signal?: AbortSignal): Promise<void> {
    await this.#read(endpoints.buildPermissionUpdate, intent, signal);
  }

  async headBlock(signal?: AbortSignal): Promise<Head> {
    const head = await this.#ways.head(signal);
    if (head.isGuess !== true) this.#sawHead?.(head.timestamp);
    return head;
  }

  solidBlock(signal?: AbortSignal): Promise<Block> {
    return this.#ways.newestSolid(signal);
  }

  solidBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]> {
    return this.#ways.solidBlocks({ start, end }, signal);
  }

  headBlocks(start: number, end: number, signal?: AbortSignal): Promise<readonly Block[]> {
    return this.#ways.headBlocks({ start, end }, signal);
  }

  /** Falls back to solidified data if the gateway does not serve the pool. */
  headTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined> {
    return unlessNotServed(
      () => this.#read(about(endpoints.headTransaction, txId), txId, signal),
      () => this.solidTransaction(txId, signal),
    );
  }

  headTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined> {
    return this.#read(about(endpoints.headTransactionInfo, txId), txId, signal);
  }

  solidTransaction(txId: TxId, signal?: AbortSignal): Promise<FoundTransaction | undefined> {
    return this.#read(about(endpoints.solidTransaction, txId), txId, signal);
  }

  solidTransactionInfo(txId: TxId, signal?: AbortSignal): Promise<TransactionInfo | undefined> {
    return this.#read(about(endpoints.solidTransactionInfo, txId), txId, signal);
  }

  solidTransactionInfos(height: number, signal?: AbortSignal): Promise<readonly TransactionInfo[] | undefined> {
    return unlessNotServed(
      () => this.#read(endpoints.solidTransactionInfos, height, signal),
      async () => undefined,
    );
  }

  async transactionAnswers(txId: TxId, view: View, signal?: AbortSignal): Promise<TransactionAnswers> {
    const { headTransactionAnswer, headInfoAnswer, solidTransactionAnswer, solidInfoAnswer } = endpoints;
    const [ofTransaction, ofInfo] =
      view === "solid" ? [solidTransactionAnswer, solidInfoAnswer] : [headTransactionAnswer, headInfoAnswer];
    const ask = (endpoint: TransactionEndpoint) => this.#reader.read(about(endpoint, txId), txId, { signal });
    const listed = () => ask(solidTransactionAnswer);
    const [transaction, info] = await Promise.all([unlessNotServed(() => ask(ofTransaction), listed), ask(ofInfo)]);
    const endpoint = [...new Set([transaction.endpoint, info.endpoint])].join(t` and `);
    return { endpoint, transaction: transaction.value?.json, info: info.value?.json };
  }

  async stateAnswer(path: string, body: JsonObject, signal?: AbortSignal): Promise<Json> {
    const endpoint = stateEndpoint(path, body);
    if (endpoint === undefined) throw new RangeError(path);
    return await this.#read(endpoint, undefined, signal);
  }

  account(address: Address, signal?: AbortSignal): Promise<Account | undefined> {
    return unlessNotServed(
      () => this.#read(endpoints.account, address, signal),
      () => this.#ways.account(address, signal),
    );
  }

  accountResources(address: Address, signal?: AbortSignal): Promise<AccountResources | undefined> {
    return this.#read(endpoints.accountResources, address, signal);
  }

  chainParameters(signal?: AbortSignal): Promise<ChainParameters> {
    return this.#read(endpoints.chainParameters, undefined, signal);
  }

  nodeInfo(signal?: AbortSignal): Promise<NodeInfo> {
    return this.#read(endpoints.nodeInfo, undefined, signal);
  }

  constantCall(run: ContractRun, signal?: AbortSignal): Promise<SimulatedRun> {
    return this.#read(endpoints.constantCall, run, signal);
  }

  /** Not repeated after a missing answer or a 5xx, because the constant call suffices without it. */
  async estimateEnergy(run: ContractRun, signal?: AbortSignal): Promise<bigint> {
    return (await this.#reader.read(endpoints.estimateEnergy, run, { signal, splits: true })).value;
  }

  deployedContract(address: Address, signal?: AbortSignal): Promise<DeployedContract | undefined> {
    return unlessNotServed(
      () => this.#read(endpoints.deployedContract, address, signal),
      () => this.#read(endpoints.deployedContractOfOldNode, address, signal),
    );
  }

  storageAt(address: Address, slot: Hex, signal?: AbortSignal): Promise<Hex | undefined> {
    return unlessNotServed(
      () => this.#read(endpoints.storage, { address, slot }, signal),
      async () => undefined,
    );
  }

  reward(address: Address, signal?: AbortSignal): Promise<Sun> {
    return this.#read(endpoints.reward, address, signal);
  }

  trc10Token(id: string, signal?: AbortSignal): Promise<Trc10Token | undefined> {
    return this.#read(endpoints.trc10Token, id, signal);
  }

  delegationIndex(address: Address, signal?: AbortSignal): Promise<DelegationIndex> {
    return this.#read(endpoints.delegationIndex, address, signal);
  }

  delegationsBetween(parties: DelegationParties, signal?: AbortSignal): Promise<readonly Delegation[]> {
    return this.#read(endpoints.delegationsBetween, parties, signal);
  }

  witnesses(signal?: AbortSignal): Promise<readonly Witness[]> {
    return this.#read(endpoints.witnesses, undefined, signal);
  }

  brokerage(witness: Address, signal?: AbortSignal): Promise<bigint> {
    return this.#read(endpoints.brokerage, witness, signal);
  }

  async isSolid(address: Address, signal?: AbortSignal): Promise<boolean> {
    return (await this.#read(endpoints.solidAccount, address, signal)) !== undefined;
  }

  async #read<Q, A>(endpoint: Endpoint<Q, A>, question: Q, signal: AbortSignal | undefined): Promise<A> {
    return (await this.#reader.read(endpoint, question, { signal })).value;
  }

  async #askOnce<Q, A>(
    { path, body, parse }: Endpoint<Q, A>,
    question: Q,
    signal: AbortSignal | undefined,
    atMostMs = this.#timeoutMs,
  ) {
    const { endpoint } = this;
    const timeoutMs = Math.min(atMostMs, this.#timeoutMs);
    const sending = { endpoint, path, body: body(question), tries: 1, timeoutMs, signal };
    const { verdict } = await this.#sender.send(sending);
    if (verdict.kind === "failure") throw verdict.error;
    return { answer: readAnswer({ endpoint, body: verdict.body }, parse), date: verdict.date };
  }

  #sendBroadcast(body: JsonObject, signal: AbortSignal | undefined): Promise<SendResult> {
    const { path } = BROADCAST;
    const timeoutMs = this.#timeoutMs * BROADCAST_PATIENCE;
    return this.#sender.send({ endpoint: this.endpoint, path, body, tries: 1, timeoutMs, signal });
  }
}

/** Path that every gateway serves. */
const { path, view, access, body } = endpoints.chainParameters;
const anyAnswer: Endpoint<undefined, Json> = { path, view, access, body, parse: (json) => json };

type TransactionEndpoint =
  | typeof endpoints.headTransactionAnswer
  | typeof endpoints.solidTransactionAnswer
  | typeof endpoints.headInfoAnswer;

/** Rejects an answer about another transaction. */
function about<A extends { readonly txId: TxId } | undefined>(
  endpoint: Endpoint<TxId, A>,
  txId: TxId,
): Endpoint<TxId, A> {
  return {
    ...endpoint,
    parse: (json) => {
      const found = endpoint.parse(json);
      if (found !== undefined && found.txId !== txId)
        throw fault("txID", t`belongs to another transaction, ${found.txId}`);
      return found;
    },
  };
}

function readSent({ exchange, verdict }: SendResult, endpoint: string, txId: TxId): BroadcastAnswer {
  const raw = exchange.kind === "no-answer" ? {} : { raw: rawExcerpt(exchange.body) };
  if (verdict.kind === "body") return { endpoint, ...raw, ...readBroadcast({ endpoint, body: verdict.body }, txId) };
  const { error: cause, meaning } = verdict;
  const outcome = meaning === undefined ? ({ kind: "unknown", cause } as const) : outcomeOfFailure(cause, meaning);
  return { endpoint, ...raw, outcome };
}

/** Returns true if another path may be answered. A gateway that does not answer one path may not answer any. */
function mayLackPath(error: unknown): boolean {
  if (!isChainError(error)) return false;
  if (error.code === "GATEWAY_HTTP_STATUS") return isNotServedStatus(error.details.status);
  return isSilence(error);
}
