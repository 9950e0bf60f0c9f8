import type { ChainSnapshot } from "../../../packages/local-chain/src/chain/chain-state.ts";
import type { NodeView } from "../../../packages/local-chain/src/node/node-view.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { hexToBytes, parseTxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "./cheap-signatures.ts";
import type { ChainParts } from "./load-sources.ts";

/** An answer before it is sent. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Returns a forged view in place of the true one. */
export type Pretence = (view: NodeView, path: string) => NodeView;

/** Few, so that solidified data lag only two blocks behind. */
const WITNESSES = 3;
/** So that the solidified block that people refer to has others before it. */
const BLOCKS_BEFORE = 6;
const LIMITS = { fee_limit: 1_000_000_000, consume_user_resource_percent: 100, origin_energy_limit: 10_000_000 };

/**
 * A token in 76 bytes: `decimals()` is 6, `name()` and `symbol()` are TEA, and every other function answers true and
 * changes nothing. The chain remembers who called it how.
 */
const TOKEN_CODE =
  "604c8060095f395ff35f3560e01c8063313ce56714602b57806306fdde0314603457806395d89b411460345760015f5260205ff35b60065f5260205ff3" +
  "5b60205f5260036020526254454160e81b60405260605ff3";

const input = (name: string, type: string) => ({ name, type });
const TOKEN_ABI = [
  {
    type: "function",
    name: "order",
    stateMutability: "nonpayable",
    inputs: [input("cups", "uint256"), input("guest", "address")],
  },
];

/** An honest chain with a token: what it answers is what it is. Each run begins with the same young chain. */
export class HonestChain {
  readonly simulation: Simulation;
  readonly #parts: ChainParts;
  readonly #pretend: { by: Pretence | undefined };
  #young: ChainSnapshot;
  #token: Address | undefined;

  private constructor(parts: ChainParts, simulation: Simulation) {
    this.#parts = parts;
    this.simulation = simulation;
    const pretend: { by: Pretence | undefined } = { by: undefined };
    this.#pretend = pretend;
    simulation.faults.view = (view, path) => pretend.by?.(view, path) ?? view;
    this.mine(BLOCKS_BEFORE);
    this.#young = simulation.chain.snapshot();
  }

  static async create(parts: ChainParts, seed: string): Promise<HonestChain> {
    const options = { seed, blockTimeMs: 0, accounts: 4, witnesses: WITNESSES };
    const chain = new HonestChain(parts, await parts.createSimulation(options));
    chain.#token = await chain.#deploy();
    chain.#young = chain.simulation.chain.snapshot();
    return chain;
  }

  get chain() {
    return this.simulation.chain;
  }

  get token(): Address {
    if (this.#token === undefined) throw new Error("The token is not deployed yet.");
    return this.#token;
  }

  begin(): void {
    this.chain.restore(this.#young);
  }

  mine(blocks: number): void {
    for (let made = 0; made < blocks; made++) this.chain.produceBlock();
  }

  /** @param pretence - what the one who answers tells instead of the chain */
  async ask(path: string, body: string, pretence?: Pretence): Promise<Reply> {
    this.#pretend.by = pretence;
    const request = { method: "POST", target: path, headers: {}, body: Buffer.from(body) };
    const answer = await this.#parts.answer(request, this.simulation);
    if (answer.kind !== "answer") throw new Error(`${path} was answered by a ${answer.kind}.`);
    const { status, body: text } = answer.response;
    return { status, body: String(text) };
  }

  async #deploy(): Promise<Address> {
    const [owner] = this.simulation.accounts;
    if (owner === undefined) throw new Error("There is no account.");
    const about = { owner_address: owner.hex, abi: JSON.stringify(TOKEN_ABI), bytecode: TOKEN_CODE, name: "Tea" };
    const built = await this.#json("/wallet/deploycontract", { ...about, ...LIMITS });
    const txId = parseTxId(String(built.txID));
    if (txId === undefined) throw new Error(`The token was not built: ${JSON.stringify(built)}`);
    const signature = [signTransactionId(txId, hexToBytes(owner.privateKey) as PrivateKey)];
    await this.#json("/wallet/broadcasttransaction", { ...built, signature });
    this.mine(WITNESSES);
    if (this.chain.find(txId)?.info?.result !== "SUCCESS") throw new Error("The token was not deployed.");
    return parseAddress(String(built.contract_address));
  }

  async #json(path: string, body: JsonObject): Promise<JsonObject> {
    const json: unknown = JSON.parse((await this.ask(path, JSON.stringify(body))).body);
    if (!isJsonObject(json)) throw new TypeError(`${path} did not answer an object.`);
    return json;
  }
}
