import { join } from "node:path";
import type { ChainId, NetworkProfile, NetworkRef } from "@finality/client/gateway";
import { lazily } from "../async.ts";
import type { PinFile } from "../journal/pin-file.ts";
import type { ChainServices, Chains } from "./chains.ts";

interface Opened {
  readonly chains: Chains;
  readonly decimals: PinFile;
}

/** The chains of this window's networks, loaded when somebody first looks or sends; until then none is known. */
export class ChainsOnDemand
  implements Pick<Chains, "placeOn" | "known" | "isRealMoney" | "networkFor" | "askAgain" | "accept">
{
  readonly #services: ChainServices;
  readonly #open = lazily(() => this.#load());
  #chains: Chains | undefined;

  constructor(services: ChainServices) {
    this.#services = services;
  }

  async ready(): Promise<void> {
    await (await this.#open()).chains.ready();
  }

  /** What is known of the decimals of tokens, by chain and token. */
  async decimals(): Promise<PinFile> {
    return (await this.#open()).decimals;
  }

  async placeOn(network: NetworkProfile): Promise<NetworkRef> {
    return await (await this.#open()).chains.placeOn(network);
  }

  async askAgain(network: NetworkProfile): Promise<NetworkRef> {
    return await (await this.#open()).chains.askAgain(network);
  }

  async accept(network: NetworkProfile): Promise<void> {
    await (await this.#open()).chains.accept(network);
  }

  async findOut(): Promise<void> {
    await (await this.#open()).chains.findOut();
  }

  known(network: NetworkProfile): ChainId | undefined {
    return this.#chains?.known(network);
  }

  isRealMoney(network: NetworkProfile, networks: readonly NetworkProfile[]): boolean {
    return this.#chains?.isRealMoney(network, networks) ?? false;
  }

  networkFor(place: NetworkRef): string {
    return this.#chains?.networkFor(place) ?? place.network;
  }

  async #load(): Promise<Opened> {
    const { Chains, PinFile } = await import("./lazy-chains.ts");
    const { folder, log } = this.#services;
    this.#chains = new Chains(this.#services);
    const report = (error: unknown): void => log.error("The decimals of tokens cannot be kept.", error);
    return { chains: this.#chains, decimals: new PinFile(join(folder, "token-decimals.jsonl"), report) };
  }
}
