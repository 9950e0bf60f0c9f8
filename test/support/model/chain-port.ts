import type { ServerAction } from "../../../packages/local-chain/src/http/message.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import { EVERY_STAKE_VOTES, EveryKind, type KindChain } from "../chain/every-kind.ts";
import type { FakeClock } from "../fakes/fake-clock.ts";
import { wireBlock } from "../fakes/gateway-fixtures.ts";
import { signTransactionId } from "../simulated-host/cheap-signatures.ts";
import { HonestChain } from "../simulated-host/honest-chain.ts";
import type { ChainParts } from "../simulated-host/load-sources.ts";
import { codeError, type Machine } from "../simulated-host/machine.ts";
import type { PortAnswer, PortQuestion } from "../simulated-host/simulated-services.ts";

const BROADCAST = "/wallet/broadcasttransaction";
/** Number of keys of the shared account. */
const SHARERS = 3;
const START = "start";
const RANGE = "/walletsolidity/getblockbylimitnext";
/** The embedded chain of a process; each schedule starts from the same state. */
export class ChainPort {
  readonly simulation: Simulation;
  /** An account that can execute every kind, with which each schedule begins. */
  #everyKind: EveryKind | undefined;
  readonly #honest: HonestChain;
  #clock: FakeClock;
  #closed = false;
  #faulty = false;
  /** True if a fault of this schedule refused a transaction and took it. */
  refusesFalsely = false;
  /** Position of the block of another chain in the next ranges, and the number of ranges. */
  #foreignBlock = { at: 0, ranges: 0 };
  /** Every txID that the pool ever took. */
  readonly accepted = new Set<string>();
  /** Number of times that the bytes of a transaction left a window. */
  readonly sent = new Map<string, number>();

  private constructor(honest: HonestChain, clock: FakeClock) {
    const { simulation } = honest;
    this.#honest = honest;
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

  static async create(parts: ChainParts, clock: FakeClock, options: Parameters<ChainParts["createSimulation"]>[0]) {
    const port: { current?: ChainPort } = {};
    const simulation = await parts.createSimulation({
      seed: "model",
      blockTimeMs: 0,
      accounts: 3,
      parameters: EVERY_STAKE_VOTES,
      ...options,
      now: () => port.current?.clock.now() ?? 0,
      delay: (ms) => port.current?.clock.sleep(ms) ?? Promise.resolve(),
    });
    port.current = new ChainPort(new HonestChain(parts, simulation), clock);
    await port.current.#prepare();
    return port.current;
  }

  async #prepare(): Promise<void> {
    const { simulation } = this;
    const chain: KindChain = {
      simulation,
      accounts: simulation.accounts,
      ask: ((path: string, body?: JsonObject) => this.#honest.askJson(path, body)) as KindChain["ask"],
      mine: (blocks) => this.#honest.mine(blocks),
    };
    this.#everyKind = await EveryKind.prepare(chain, [1, SHARERS], signTransactionId);
    // No reorganization of a schedule reaches these blocks.
    this.#honest.mine(simulation.chain.unsolidified + 1);
    await this.#honest.askJson("/local/snapshot", { id: START });
  }

  get everyKind(): EveryKind {
    if (this.#everyKind === undefined) throw new Error("The chain is not prepared.");
    return this.#everyKind;
  }

  get clock(): FakeClock {
    return this.#clock;
  }

  /** Restores the start of a schedule, on another clock. */
  async begin(clock: FakeClock): Promise<void> {
    this.#clock = clock;
    this.#closed = false;
    this.refusesFalsely = false;
    this.accepted.clear();
    this.sent.clear();
    this.setFaults([], "");
    this.misplace(0, 0);
    await this.control("restore", { id: START });
  }

  setFaults(faults: readonly JsonObject[], seed: string): void {
    this.simulation.faults.replace([...faults], seed);
    this.#faulty = faults.length > 0;
    this.refusesFalsely ||= faults.some(({ name }) => name === "false-refusal");
    this.#closeListener();
  }

  /** Puts a block of another chain into each of the next ranges, as from nodes that do not agree. */
  misplace(at: number, ranges: number): void {
    this.#foreignBlock = { at, ranges };
  }

  async control(name: string, body: JsonObject): Promise<void> {
    await this.#clock.during(this.#honest.handle(`/local/${name}`, printJson(body)));
  }

  /** Sends a POST request of a window. */
  async request(machine: Machine, window: number, question: PortQuestion): Promise<PortAnswer> {
    await machine.pass(window, "before-request");
    question.signal?.throwIfAborted();
    if (this.#closed) throw codeError("ECONNREFUSED");
    this.#note(question);
    const input = await (this.#faulty ? this.#patiently(question) : this.#honest.handle(question.path, question.body));
    await machine.pass(window, "after-request");
    this.#closeListener();
    const answer = await toPort(input, this.#clock, question);
    if (this.#foreignBlock.ranges === 0 || question.path !== RANGE || answer.statusCode !== 200) return answer;
    this.#foreignBlock = { ...this.#foreignBlock, ranges: this.#foreignBlock.ranges - 1 };
    return { ...answer, body: misplaced(answer.body, this.#foreignBlock.at) };
  }

  #note({ path, body }: PortQuestion): void {
    const txId = path === BROADCAST ? /"txID":"([0-9a-f]{64})"/.exec(body)?.[1] : undefined;
    if (txId !== undefined) this.sent.set(txId, (this.sent.get(txId) ?? 0) + 1);
  }

  /** Sends a request and fails when the client's timeout ends. */
  async #patiently(question: PortQuestion): Promise<ServerAction> {
    const { headersTimeout, signal } = question;
    const done = new AbortController();
    const ends = signal === null ? done.signal : AbortSignal.any([done.signal, signal]);
    const late = this.#clock
      .sleep(headersTimeout, ends)
      .then(() => Promise.reject(codeError("UND_ERR_HEADERS_TIMEOUT")));
    late.catch(() => undefined);
    return await Promise.race([this.#honest.handle(question.path, question.body), late]).finally(() => done.abort());
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
 * Replaces a block of the range by an empty one with the same height and time and another parent; its id is that of
 * its header.
 */
async function* misplaced(body: AsyncIterable<Uint8Array>, at: number): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const { block = [] } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { block?: RangeBlock[] };
  const foreignBlock = chosen(block, at);
  if (foreignBlock !== undefined) {
    const { number = 0, timestamp = 0, parentHash } = foreignBlock.block_header.raw_data;
    const parentId = `${parentHash.slice(0, 16)}${"ab".repeat(24)}` as BlockId;
    const { blockID, block_header } = wireBlock({ number, timestamp, parentId });
    foreignBlock.blockID = blockID;
    foreignBlock.block_header = block_header;
    foreignBlock.transactions = [];
  }
  yield Buffer.from(JSON.stringify({ block }));
}

/** Returns the newest block with a transaction in half of the cases, because a proof must not skip it. */
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
