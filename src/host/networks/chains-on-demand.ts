import type { ChainId, NetworkProfile, NetworkRef } from "@finality/client/gateway";
import type { ChainServices, Chains } from "@finality/node/chains";
import type { PinFile } from "@finality/node/storage";
import { lazy } from "../async.ts";

/** Chains of the networks, loaded on first use. Until then none is known. */
export class ChainsOnDemand
  implements Pick<Chains, "networkRefOf" | "known" | "isRealMoney" | "networkFor" | "askAgain" | "accept">
{
  readonly #services: ChainServices;
  readonly #open = lazy(() => this.#load());
  #chains: Chains | undefined;

  constructor(services: ChainServices) {
    this.#services = services;
  }

  async ready(): Promise<void> {
    await (await this.#open()).ready();
  }

  /** Returns the stored decimals of tokens, by chain and token. */
  async decimals(): Promise<PinFile> {
    return (await this.#open()).decimals;
  }

  async networkRefOf(network: NetworkProfile): Promise<NetworkRef> {
    return await (await this.#open()).networkRefOf(network);
  }

  async askAgain(network: NetworkProfile): Promise<NetworkRef> {
    return await (await this.#open()).askAgain(network);
  }

  async accept(network: NetworkProfile): Promise<void> {
    await (await this.#open()).accept(network);
  }

  async findOut(): Promise<void> {
    await (await this.#open()).findOut();
  }

  known(network: NetworkProfile): ChainId | undefined {
    return this.#chains?.known(network);
  }

  isRealMoney(network: NetworkProfile, networks: readonly NetworkProfile[]): boolean {
    return this.#chains?.isRealMoney(network, networks) ?? false;
  }

  networkFor(network: NetworkRef): string {
    return this.#chains?.networkFor(network) ?? network.network;
  }

  async #load(): Promise<Chains> {
    const { Chains } = await import("@finality/node/chains");
    this.#chains = new Chains(this.#services);
    return this.#chains;
  }
}
