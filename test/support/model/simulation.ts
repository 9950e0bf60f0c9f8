import { create } from "@bufbuild/protobuf";
import type { Dispatcher } from "undici";
import type { HttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { inclusionInterval } from "../../../packages/client/src/proof/inclusion-interval.ts";
import type { Since } from "../../../packages/client/src/retry/conflicting-transactions.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { chainTransaction } from "../../../packages/local-chain/src/chain/transaction.ts";
import { keyFor } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  type TxId,
  transactionId,
} from "../../../packages/tron/src/primitives/bytes.ts";
import {
  type BuiltTransaction,
  builtFromIntent,
  rawDataFromIntent,
} from "../../../packages/tron/src/transaction/built-transaction.ts";
import { type Contract, TransactionSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { contractFromIntent } from "../../../packages/tron/src/transaction/intent-contract.ts";
import { decodeRawData, encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import type { PrivateKey } from "../../../packages/tron/src/transaction/signature.ts";
import type { ConflictGuard } from "../../../src/sending/conflicting-payments.ts";
import type { TransactionService } from "../../../src/sending/transaction-service.ts";
import type { Owner } from "../chain/every-kind.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { profileAt } from "../fakes/gateway-fixtures.ts";
import type { Counts } from "../random/random-run.ts";
import { addressOfPrivateKey, signTransactionId } from "../simulated-host/cheap-signatures.ts";
import type { Product } from "../simulated-host/load-sources.ts";
import { Machine, mount } from "../simulated-host/machine.ts";
import { Editor, mountEditor } from "../simulated-host/simulated-editor.ts";
import type { HttpPort } from "../simulated-host/simulated-services.ts";
import type { OwnKind } from "../tracking/intents.ts";
import type { ChainPort } from "./chain-port.ts";

const NETWORK = "Test";
const HERE = { network: NETWORK };
const COIN = 1_000_000n;
/** Longest time of one read with its retry; afterwards the poller decides; ms. */
const READ_DEADLINE_MS = 400;

const poorKey = keyFor("model", "poor");

/** One editor window with its own copy of everything in memory. */
export interface ModelWindow {
  readonly id: number;
  readonly transactions: TransactionService;
  readonly equals: ConflictGuard;
  readonly gateway: HttpGateway;
}

/** An intent of the user, and the permitted number of executions. */
export interface UserRequest {
  readonly intent: Intent;
  /** Effect of it on the chain. */
  readonly effect: string;
  /** Permitted number of executions: one for each informed request. */
  allowed: number;
}

/** Start of a schedule. */
interface ScheduleStart {
  readonly counts: Counts;
  /** Error of the machine's clock; ms. */
  readonly skewMs: number;
  /** Kinds of requested transactions, besides a payment that exceeds the balance. */
  readonly kinds: readonly OwnKind[];
}

/** State of one schedule: machine, chain, windows and requests. */
export class Simulation {
  readonly clock: FakeClock;
  readonly machine: Machine;
  readonly port: ChainPort;
  readonly product: Product;
  readonly counts: Counts;
  readonly userRequests: readonly UserRequest[];
  /** Transactions that were exported to files. */
  readonly files: SharedFile[] = [];
  /** Number of requests to send the bytes of a transaction. */
  readonly pressed = new Map<string, number>();
  /** Unexpected events: a failure without a code, a poller that stopped. */
  readonly surprises: string[] = [];
  #windows: ModelWindow[] = [];
  readonly #frozen = new Set<number>();
  #made = 0;

  /** Height of the newest block at the start. */
  readonly begin: number;

  private constructor(product: Product, port: ChainPort, clock: FakeClock, { counts, kinds }: ScheduleStart) {
    this.product = product;
    this.port = port;
    this.clock = clock;
    this.counts = counts;
    this.machine = new Machine(clock, counts);
    this.begin = port.simulation.chain.head.header.number;
    this.userRequests = [
      ...kinds.map((it, index) => this.#userRequestOf(it, index)),
      userRequestFor({ ...this.#payment(0, 1, 5n * COIN), owner: addressOfPrivateKey(poorKey) }),
      userRequestFor(port.everyKind.intentOf(kinds[0] ?? "transfer", this.#sharedOwner)),
    ];
    for (const it of kinds) this.count(`kind ${it}`);
    mount(this.machine);
    mountEditor(new Editor(new Map(), () => undefined));
  }

  static async begin(product: Product, port: ChainPort, start: ScheduleStart): Promise<Simulation> {
    const clock = new FakeClock(0);
    await port.begin(clock);
    clock.jump(port.simulation.chain.head.header.timestamp + start.skewMs);
    return new Simulation(product, port, clock, start);
  }

  get windows(): readonly ModelWindow[] {
    return this.#windows.filter(({ id }) => this.machine.isAlive(id));
  }

  get chain() {
    return this.port.simulation.chain;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }

  /** Opens a window, which reads the journal. */
  open(): ModelWindow {
    const id = ++windows;
    const { clock, product } = this;
    const folder = this.machine.open(id);
    const port: HttpPort = { request: (question) => this.port.request(this.machine, id, question) };
    const gateway = product.createHttpGateway(profileAt("http://127.0.0.1:1", { name: NETWORK }), {
      clock,
      random: () => 0,
      deadlineMs: READ_DEADLINE_MS,
      dispatcher: port as unknown as Dispatcher,
    });
    const log = {
      info: () => undefined,
      warn: () => this.count("warned"),
      error: (message: string, error: unknown) => this.#logged(id, message, error),
    };
    // A window without an editor receives nothing from it.
    const fromEditor = <T>(value: T): Promise<T> =>
      this.#frozen.has(id) ? new Promise(() => undefined) : Promise.resolve(value);
    const [gatewayFor, proof] = [() => fromEditor(gateway), () => fromEditor(undefined)];
    const transactions = new product.TransactionService({ folder, clock, gatewayFor, proof, log: log as never });
    const opened = { id, transactions, gateway, equals: new product.ConflictGuard(() => transactions.list()) };
    this.#windows.push(opened);
    this.count("opened");
    this.#run(id, transactions.ready());
    return opened;
  }

  /** Removes the editor of a window whose process continues. */
  freeze({ id }: ModelWindow): void {
    this.#frozen.add(id);
  }

  isFrozen({ id }: ModelWindow): boolean {
    return this.#frozen.has(id);
  }

  close({ id, transactions }: ModelWindow): void {
    transactions.dispose();
    this.machine.kill(id);
    this.count("closed");
  }

  /** Sends a payment; a careless user confirms that an equal one is known. */
  send(
    window: ModelWindow,
    userRequest: UserRequest,
    { lifeMs, careless }: { lifeMs: number; careless: boolean },
  ): void {
    this.#run(window.id, this.#send(window, userRequest, lifeMs, careless));
  }

  /** Builds a transaction that needs several signatures, and exports it. */
  share(
    window: ModelWindow,
    userRequest: UserRequest,
    { lifeMs, careless }: { lifeMs: number; careless: boolean },
  ): void {
    this.#run(window.id, this.#send(window, userRequest, lifeMs, careless));
  }

  coSign(window: ModelWindow, file: SharedFile, key: number): void {
    this.#run(window.id, coSign(this, window, file, key));
  }

  /** Keys of the shared account. */
  get sharers(): readonly PrivateKey[] {
    return this.#sharedOwner.keys;
  }

  get #sharedOwner(): Owner {
    const owner = this.port.everyKind.owners[1];
    if (owner === undefined) throw new Error("Nobody shares an account.");
    return owner;
  }

  nextNumber(): number {
    return ++this.#made;
  }

  /** Clicks a button that a window offers for a transaction. */
  press(window: ModelWindow, tracked: TrackedTransaction, button: number, careless: boolean): void {
    const buttons = this.#buttons(window, tracked);
    const [name, act] = buttons[button % Math.max(1, buttons.length)] ?? [];
    if (name === undefined || act === undefined) return;
    this.count(`pressed ${name}`);
    this.#run(window.id, act(careless));
  }

  #buttons(window: ModelWindow, tracked: TrackedTransaction): [string, (careless: boolean) => Promise<void>][] {
    const { sendSameBytes, createReplacement, lookNow } = this.product.decideActions(tracked);
    const { txId } = tracked;
    return [
      ...(sendSameBytes.allowed ? [["resend", (it) => this.#resend(window, tracked, it)] satisfies Button] : []),
      ...(createReplacement.allowed ? [["replace", (it) => this.#replace(window, tracked, it)] satisfies Button] : []),
      ...(lookNow.allowed ? [["look", () => window.transactions.lookNow(txId)] satisfies Button] : []),
    ];
  }

  async #send(window: ModelWindow, userRequest: UserRequest, lifeMs: number, careless: boolean): Promise<void> {
    const { transactions } = window;
    await transactions.ready();
    const duplicates = this.product
      .unsettledEquals(transactions.list(), HERE, userRequest.intent)
      .map(({ txId }) => txId);
    if (duplicates.length > 0 && !careless) return this.count("equal refused");
    const seen = transactions.list().filter((it) => isDone(it) && isSameEffect(it, userRequest)).length;
    userRequest.allowed = duplicates.length > 0 ? userRequest.allowed + 1 : Math.max(userRequest.allowed, seen + 1);
    await this.#pay(window, userRequest.intent, lifeMs, { acknowledged: duplicates });
  }

  async #replace(window: ModelWindow, tracked: TrackedTransaction, careless: boolean): Promise<void> {
    const { txId, signed } = tracked;
    const userRequest = this.userRequests.find((it) => isSameEffect(tracked, it));
    if (signed === undefined || userRequest === undefined) return;
    const { intent } = signed;
    const since = this.product.sinceSigned(tracked);
    const duplicates = this.product.unsettledEquals(window.transactions.list(), HERE, intent, since);
    if (duplicates.length > 0 && !careless) return this.count("equal refused");
    if (duplicates.length > 0) userRequest.allowed++;
    const acknowledged = duplicates.map((it) => it.txId);
    await this.#pay(window, intent, REPLACEMENT_LIFE_MS, { acknowledged, since, replaces: txId });
  }

  async #resend(window: ModelWindow, { txId }: TrackedTransaction, careless: boolean): Promise<void> {
    const tracked = window.transactions.get(txId);
    const permission =
      tracked && this.product.decideActions(tracked, { all: window.transactions.list() }).sendSameBytes;
    const equals = permission?.allowed === true ? permission.unless?.txIds : undefined;
    const userRequest = this.userRequests.find((it) => tracked !== undefined && isSameEffect(tracked, it));
    if (equals !== undefined && careless && userRequest !== undefined) userRequest.allowed++;
    this.#press(txId);
    await window.transactions.resend(this.product.consentOfClick(txId), careless ? equals : []);
  }

  /** Signs and sends in a window. */
  async #pay(
    { id, gateway, equals, transactions }: ModelWindow,
    intent: Intent,
    lifeMs: number,
    { acknowledged, replaces, since }: { acknowledged: readonly TxId[]; replaces?: TxId; since?: Since | undefined },
  ): Promise<void> {
    if (intent.owner === this.#sharedOwner.address) {
      return await exportFile(this, { gateway, equals, transactions, id }, intent, {
        lifeMs,
        acknowledged,
        replaces,
        since,
      });
    }
    const [solid, head] = await Promise.all([gateway.solidBlock(), gateway.headBlock()]);
    const expiration = head.timestamp + lifeMs;
    const validity = { referenceBlock: solid.id, expiration, timestamp: head.timestamp + this.nextNumber() };
    const bytes = encodeRawData(rawDataFromIntent(intent, validity));
    const txId = transactionId(bytes);
    const signed = { txId, rawDataHex: bytesToHex(bytes), signatures: [signTransactionId(txId, this.#keyOf(intent))] };
    const context = { network: NETWORK, intent, expiration, solidHeight: solid.number };
    await equals.runAlone({ network: NETWORK, intent, txId, acknowledged, since }, async () => {
      this.#press(txId);
      const reported = { ...context, acknowledged, ...(replaces === undefined ? {} : { replaces }) };
      await transactions.submit(signed, reported, this.product.consentOfClick(txId));
      this.count("answered");
    });
  }

  #press(txId: TxId): void {
    this.pressed.set(txId, (this.pressed.get(txId) ?? 0) + 1);
  }

  /** Runs what the user started: failures with a message are expected, anything else is a surprise. */
  #run(window: number, work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (isChainError(error)) this.count(`refused ${error.code}`);
      else this.#logged(window, "A command failed.", error);
    });
  }

  #logged(window: number, message: string, error: unknown): void {
    if (!this.machine.isAlive(window)) return;
    if (isChainError(error)) this.count(`logged ${error.code}`);
    else if (error instanceof Error && error.message.startsWith("The editor does not answer"))
      this.count("gave up the lead");
    else if (isDiskFull(error)) this.count("logged ENOSPC");
    else this.surprises.push(`${message} ${error instanceof Error ? error.stack : String(error)}`);
  }

  /** Returns a request; payments differ in amount and recipient. */
  #userRequestOf(kind: OwnKind, index: number): UserRequest {
    if (kind === "transfer") return userRequestFor(this.#payment(0, index + 1, BigInt(index + 1) * COIN));
    const { everyKind } = this.port;
    const [owner] = everyKind.owners;
    if (owner === undefined) throw new Error("Nobody can do everything.");
    return userRequestFor(everyKind.intentOf(kind, owner));
  }

  #payment(from: number, to: number, amount: bigint): Intent {
    const [owner, recipient] = [from, to].map((it) => this.port.simulation.accounts[it]?.hex);
    if (owner === undefined || recipient === undefined) throw new RangeError("There is no such account.");
    return { kind: "transfer", owner, to: recipient, amount: sun(amount) };
  }

  #keyOf({ owner }: Intent): PrivateKey {
    const account = this.port.simulation.accounts.find(({ hex }) => hex === owner);
    return account === undefined ? poorKey : (hexToBytes(account.privateKey) as PrivateKey);
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOSPC";
}

type Button = [string, (careless: boolean) => Promise<void>];

const REPLACEMENT_LIFE_MS = 15_000;
let windows = 0;

function userRequestFor(intent: Intent): UserRequest {
  return { intent, effect: effectOf(contractFromIntent(intent)), allowed: 0 };
}

/** Returns the contract of a transaction as text, without fee limit and memo. */
export function effectOf({ type, parameter }: Contract): string {
  return `${type} ${bytesToHex(parameter?.value ?? new Uint8Array())}`;
}

/** Returns true if a transaction fulfils a request. */
export function isSameEffect({ signed }: TrackedTransaction, { effect }: UserRequest): boolean {
  return signed !== undefined && effectOf(contractFromIntent(signed.intent)) === effect;
}

function isDone({ state }: TrackedTransaction): boolean {
  return state.kind === "solidified" && state.outcome.kind === "success";
}

/** Genesis account with 1 sun. */
export const poorAccount = { address: parseAddress(addressOfPrivateKey(poorKey)), balance: 1n };

/** A transaction file, which each recipient may sign and send. */
export interface SharedFile extends BuiltTransaction {
  readonly intent: Intent;
  /** Chain time, ms. */
  readonly expiration: number;
  /** Signatures in the file. */
  signatures: readonly Hex[];
  /** Signatures that were stored here: they must never be lost. */
  readonly kept: Set<Hex>;
}

interface Sharing {
  readonly lifeMs: number;
  readonly acknowledged: readonly TxId[];
  readonly since?: Since | undefined;
  readonly replaces?: TxId | undefined;
}

/** Builds a transaction that needs several signatures, signs it with the first key, stores and exports it. */
async function exportFile(
  simulation: Simulation,
  window: ModelWindow,
  intent: Intent,
  { lifeMs, ...sharing }: Sharing,
): Promise<void> {
  const { gateway } = window;
  const [solid, head] = await Promise.all([gateway.solidBlock(), gateway.headBlock()]);
  const expiration = head.timestamp + lifeMs;
  const timestamp = head.timestamp + simulation.nextNumber();
  const built = builtFromIntent(intent, { referenceBlock: solid.id, expiration, timestamp });
  const file: SharedFile = { ...built, intent, expiration, signatures: [], kept: new Set() };
  await keep(simulation, window, file, { ...sharing, solidHeight: solid.number, signer: keyAt(simulation, 0) });
  simulation.files.push(file);
  simulation.count("exported");
}

/** Signs a transaction file with another key in a window. */
export async function coSign(
  simulation: Simulation,
  window: ModelWindow,
  file: SharedFile,
  key: number,
): Promise<void> {
  const { gateway, transactions } = window;
  await transactions.ready();
  if (!isOpen(simulation, window, file)) return simulation.count("needs no signature");
  const [solid, head] = await Promise.all([gateway.solidBlock(), gateway.headBlock()]);
  if (file.expiration <= head.timestamp) return simulation.count("file expired");
  const before = { rawDataHex: file.rawDataHex, expiration: file.expiration, solidHeight: solid.number };
  const solidHeight = Math.max(0, Math.min(solid.number, inclusionInterval(before, 0, head.number).first - 1));
  await keep(simulation, window, file, { acknowledged: [], solidHeight, signer: keyAt(simulation, key) });
  simulation.count("signed by another");
}

/** Returns true if the transaction still needs signatures, as `addSignature` checks. */
function isOpen({ product }: Simulation, { transactions }: ModelWindow, { txId }: SharedFile): boolean {
  const tracked = transactions.get(txId);
  return tracked === undefined || tracked.state.kind === "signed" || product.decideActions(tracked).signAgain.allowed;
}

interface Keeping extends Omit<Sharing, "lifeMs"> {
  readonly solidHeight: number;
  readonly signer: PrivateKey;
}

async function keep(
  { product }: Simulation,
  { transactions, equals }: ModelWindow,
  file: SharedFile,
  { signer, solidHeight, acknowledged, since, replaces }: Keeping,
): Promise<void> {
  const { txId, rawDataHex, intent, expiration } = file;
  const tracked = transactions.get(txId);
  const known = [...file.signatures, ...(tracked?.signed?.signatures ?? [])];
  const signatures = [...new Set([...known, signTransactionId(txId, signer)])];
  // A transaction that was refused with its signatures is signed again, which replaces all of them.
  const renews = tracked?.state.kind === "rejected";
  const context = { network: NETWORK, intent, expiration, solidHeight, acknowledged, renews };
  await equals.runAlone({ network: NETWORK, intent, txId, acknowledged, since }, async () => {
    const reported = { ...context, ...(replaces === undefined ? {} : { replaces }) };
    const kept = await transactions.keep({ txId, rawDataHex, signatures }, reported, product.consentOfClick(txId));
    file.signatures = kept.signatures;
    for (const it of signatures) file.kept.add(it);
  });
}

/** Sends a file with enough signatures by another gateway, without a notice to its author. */
export function sendElsewhere(simulation: Simulation, file: SharedFile): void {
  const { raw: rawData } = decodeRawData(hexToBytes(file.rawDataHex));
  const signature = simulation.sharers.map((it) => hexToBytes(signTransactionId(file.txId, it)));
  try {
    simulation.chain.submit(chainTransaction(create(TransactionSchema, { rawData, signature })));
    simulation.count("sent elsewhere");
  } catch (error) {
    // `Refusal` is a class of the chain's own copy of the sources, so `instanceof` cannot be used.
    if (!(error instanceof Error) || error.name !== "Refusal") throw error;
    simulation.count("refused elsewhere");
  }
}

function keyAt({ sharers }: Simulation, index: number): PrivateKey {
  const key = sharers[index % sharers.length];
  if (key === undefined) throw new RangeError("Nobody shares the account.");
  return key;
}
