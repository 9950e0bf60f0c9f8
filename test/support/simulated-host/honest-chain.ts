import type { ChainSnapshot } from "../../../packages/local-chain/src/chain/chain-state.ts";
import type { NodeView } from "../../../packages/local-chain/src/node/node-view.ts";
import type { Simulation } from "../../../packages/local-chain/src/simulation/simulation.ts";
import { isJsonObject, type JsonObject, printJson } from "../../../packages/tron/src/primitives/json.ts";
import type { ChainParts } from "./load-sources.ts";

/** HTTP answer of a node. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Returns the view that the node serves on a path in place of the true one. */
export type ChangeView = (view: NodeView, path: string) => NodeView;

/** The embedded chain of a process. Each run starts from the same saved state. */
export class HonestChain {
  readonly simulation: Simulation;
  readonly #parts: ChainParts;
  #changeView: ChangeView | undefined;
  #start: ChainSnapshot;

  constructor(parts: ChainParts, simulation: Simulation) {
    this.#parts = parts;
    this.simulation = simulation;
    this.#start = simulation.chain.snapshot();
  }

  get chain(): Simulation["chain"] {
    return this.simulation.chain;
  }

  /** Saves the current state as the start of each run. */
  saveStart(): void {
    this.#start = this.chain.snapshot();
  }

  restoreStart(): void {
    this.chain.restore(this.#start);
  }

  mine(blocks = 1): void {
    for (let made = 0; made < blocks; made++) this.chain.produceBlock();
  }

  /** Sends a POST request to the node, which may serve a changed view for this request. */
  async ask(path: string, body: string, changeView?: ChangeView): Promise<Reply> {
    this.#changeView = changeView;
    const answer = await this.handle(path, body);
    if (answer.kind !== "answer") throw new Error(`${path} was answered by a ${answer.kind}.`);
    const { status, body: text } = answer.response;
    return { status, body: Buffer.from(text).toString("utf8") };
  }

  async askJson(path: string, body: JsonObject = {}): Promise<JsonObject> {
    const json: unknown = JSON.parse((await this.ask(path, printJson(body))).body);
    if (!isJsonObject(json)) throw new TypeError(`${path} did not answer an object.`);
    return json;
  }

  /** Passes a POST request to the node, faults included. */
  handle(path: string, body: string): ReturnType<ChainParts["answer"]> {
    return this.#parts.answer({ method: "POST", target: path, headers: {}, body: Buffer.from(body) }, this.simulation);
  }

  /** Lets `ask` change the view of single requests. */
  allowChangedViews(): void {
    this.simulation.faults.view = (view, path) => this.#changeView?.(view, path) ?? view;
  }
}
