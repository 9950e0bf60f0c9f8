import type { ServerAction } from "../../../packages/local-chain/src/http/message.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { EVERY_STAKE_VOTES, EveryKind, type KindChain } from "../chain/every-kind.ts";
import type { FakeClock } from "../fakes/fake-clock.ts";
import { wireBlock } from "../fakes/gateway-fixtures.ts";
import { signTransactionId } from "../simulated-host/cheap-signatures.ts";
import type { PortAnswer, PortQuestion } from "../simulated-host/http-port.ts";
import type { ChainParts } from "../simulated-host/load-sources.ts";
import { codeError, type Machine } from "../simulated-host/machine.ts";

const BROADCAST = "/wallet/broadcasttransaction";
/** Keys of the account that several people sign for. */
const SHARERS = 3;
const BEGINNING = "beginning";
const RANGE = "/walletsolidity/getblockbylimitnext";
/** The embedded chain of a process; each schedule begins with the same young chain. */
export class ChainPort {
  readonly simulation: Simulation;
  /** An account that can execute every kind, with which each schedule begins. */
  #everyKind: EveryKind | undefined;
  readonly #parts: ChainParts;
  #clock: FakeClock;
  #closed = false;
  #faulty = false;
  /** True if a fault of this schedule refused a transaction and took it. */
  refusesFalsely = false;
  /** Which block of the next ranges is one of another chain, and how many ranges. */
  #alien = { at: 0, ranges: 0 };
  /** Every txID that the pool ever took. */
  readonly accepted = new Set<string>();
  /** Number of times that the bytes of a transaction left a window. */
  readonly sent = new Map<string, number>();

  private constructor(parts: ChainParts, simulation: Simulation, clock: FakeClock) {
    this.#parts = parts;
    this.simulation = simulation;
    this.#clock = clock;
    const { chain } = simulation;
    const submit = chain.submit.bind(chain);
    chain.submit = (transaction) => {
      const trial = submit(transaction);
      this.accepted.add(transaction.id);
      return trial;
    };
  }

  static async create(parts: ChainParts, clock: FakeClock, poor: Parameters<ChainParts["createSimulation"]>[0]) {
    const port: { current?: ChainPort } = {};
    const simulation = await parts.createSimulation({
      seed: "model",
      blockTimeMs: 0,
      accounts: 3,
      parameters: EVERY_STAKE_VOTES,
      ...poor,
      now: () => port.current?.clock.now() ?? 0,
      delay: (ms) => port.current?.clock.sleep(ms) ?? Promise.resolve(),
    });
    port.current = new ChainPort(parts, simulation, clock);
    await port.current.#prepare();
    return port.current;
  }

  async #prepare(): Promise<void> {
    const { simulation } = this;
    const ask = async (path: string, body: JsonObject = {}): Promise<JsonObject> => {
      const input = await this.#serve(path, printJson(body));
      if (input.kind !== "answer") throw new Error(`There is no answer, but a ${input.kind}.`);
      return JSON.parse(Buffer.from(input.response.body).toString("utf8")) as JsonObject;
    };
    const mine = (blocks = 1): void => {
      for (let made = 0; made < blocks; made += 1) simulation.chain.produceBlock();
    };
    const chain: KindChain = { simulation, accounts: simulation.accounts, ask: ask as KindChain["ask"], mine };
    this.#everyKind = await EveryKind.prepare(chain, [1, SHARERS], signTransactionId);
    // No reorganisation of a schedule reaches what came before it.
    mine(simulation.chain.unsolidified + 1);
    await ask("/local/snapshot", { id: BEGINNING });
  }

  get everyKind(): EveryKind {
    if (this.#everyKind === undefined) throw new Error("The chain is not prepared.");
    return this.#everyKind;
  }

  get clock(): FakeClock {
    return this.#clock;
  }

  /** The same beginning as every time, on another clock. */
  async begin(clock: FakeClock): Promise<void> {
    this.#clock = clock;
    this.#closed = false;
    this.refusesFalsely = false;
    this.accepted.clear();
    this.sent.clear();
    this.setFaults([], "");
    this.misplace(0, 0);
    await this.control("restore", { id: BEGINNING });
  }

  setFaults(faults: readonly JsonObject[], seed: string): void {
    this.simulation.faults.replace([...faults], seed);
    this.#faulty = faults.length > 0;
    this.refusesFalsely ||= faults.some(({ name }) => name === "false-refusal");
    this.#closeListener();
  }

  /** So many ranges of blocks come with one that belongs to another chain, as from nodes that do not agree. */
  misplace(at: number, ranges: number): void {
    this.#alien = { at, ranges };
  }

  async control(name: string, body: JsonObject): Promise<void> {
    await this.#clock.during(this.#serve(`/local/${name}`, printJson(body)));
  }

  /** One POST of a window. */
  async request(machine: Machine, window: number, question: PortQuestion): Promise<PortAnswer> {
    await machine.pass(window, "before-request");
    question.signal?.throwIfAborted();
    if (this.#closed) throw codeError("ECONNREFUSED");
    this.#note(question);
    const input = await (this.#faulty ? this.#patiently(question) : this.#served(question));
    await machine.pass(window, "after-request");
    this.#closeListener();
    const answer = await toPort(input, this.#clock, question);
    if (this.#alien.ranges === 0 || question.path !== RANGE || answer.statusCode !== 200) return answer;
    this.#alien = { ...this.#alien, ranges: this.#alien.ranges - 1 };
    return { ...answer, body: misplaced(answer.body, this.#alien.at) };
  }

  #note({ path, body }: PortQuestion): void {
    const txId = path === BROADCAST ? /"txID":"([0-9a-f]{64})"/.exec(body)?.[1] : undefined;
    if (txId !== undefined) this.sent.set(txId, (this.sent.get(txId) ?? 0) + 1);
  }

  /** As long as the client waits. */
  async #patiently(question: PortQuestion): Promise<ServerAction> {
    const { headersTimeout, signal } = question;
    const done = new AbortController();
    const ends = signal === null ? done.signal : AbortSignal.any([done.signal, signal]);
    const late = this.#clock
      .sleep(headersTimeout, ends)
      .then(() => Promise.reject(codeError("UND_ERR_HEADERS_TIMEOUT")));
    late.catch(() => undefined);
    return await Promise.race([this.#served(question), late]).finally(() => done.abort());
  }

  #served({ path, body }: PortQuestion): Promise<ServerAction> {
    return this.#serve(path, body);
  }

  #serve(path: string, body: string): Promise<ServerAction> {
    return this.#parts.answer({ method: "POST", target: path, headers: {}, body: Buffer.from(body) }, this.simulation);
  }

  /** Closes the port for a while after some answers. */
  #closeListener(): void {
    const ms = this.simulation.faults.takeListenerPause();
    if (ms === 0) return;
    this.#closed = true;
    void this.#clock.sleep(ms).then(() => {
      this.#closed = false;
    });
  }
}

async function toPort(input: ServerAction, clock: FakeClock, { headersTimeout }: PortQuestion): Promise<PortAnswer> {
  switch (input.kind) {
    case "answer":
    case "cut": {
      const { status: statusCode, headers } = input.response;
      const bytes = Buffer.from(input.response.body);
      const body = input.kind === "cut" ? half(bytes) : whole(bytes);
      return { statusCode, headers, body };
    }
    case "drop":
      throw codeError("UND_ERR_SOCKET");
    case "reset":
      throw codeError("ECONNRESET");
    case "hang":
      await clock.sleep(headersTimeout);
      throw codeError("UND_ERR_HEADERS_TIMEOUT");
  }
}

/**
 * The same range, with a block of the same height and time that holds nothing and follows no other; its id is that of
 * its header.
 */
async function* misplaced(body: AsyncIterable<Uint8Array>, at: number): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const { block = [] } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { block?: RangeBlock[] };
  const alien = chosen(block, at);
  if (alien !== undefined) {
    const { number = 0, timestamp = 0, parentHash } = alien.block_header.raw_data;
    const parentId = `${parentHash.slice(0, 16)}${"ab".repeat(24)}` as BlockId;
    const { blockID, block_header } = wireBlock({ number, timestamp, parentId });
    alien.blockID = blockID;
    alien.block_header = block_header;
    alien.transactions = [];
  }
  yield Buffer.from(JSON.stringify({ block }));
}

/** As often the newest one that holds something as any other: it is what a proof may not overlook. */
function chosen(blocks: readonly RangeBlock[], at: number): RangeBlock | undefined {
  const holding = at % 2 === 0 ? blocks.findLast(({ transactions = [] }) => transactions.length > 0) : undefined;
  return holding ?? blocks.at(-1 - (at % Math.max(1, blocks.length)));
}

interface RangeBlock {
  blockID: string;
  block_header: { raw_data: { parentHash: string; number?: number; timestamp?: number } };
  transactions?: unknown[];
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* half(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, bytes.length / 2);
  throw codeError("UND_ERR_SOCKET");
}
