import { type NetworkProfile, plainOriginsOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { listOf, record, text, tryRead } from "@finality/tron/read";
import type * as vscode from "vscode";

/** Origins for which the user allows http, by network name. */
const STATE = "finality.plainHttp";

/**
 * Networks and origins for which the user allows unencrypted requests. Stored in the extension's state, which settings
 * and other extensions cannot write.
 */
export class PlainHttp {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** Returns the http origins of a network that the user has not allowed yet. */
  missing(network: NetworkProfile): readonly string[] {
    if (network.local) return [];
    const allowed = this.#allowed(network.name);
    return plainOriginsOf(network).filter((it) => !allowed.includes(it));
  }

  /**
   * Returns the network with its allowed http origins.
   *
   * @throws {ChainError} `PLAIN_HTTP_UNCONFIRMED`
   */
  checked(network: NetworkProfile): NetworkProfile {
    const missing = this.missing(network);
    if (missing.length > 0) {
      throw new ChainError("PLAIN_HTTP_UNCONFIRMED", { network: network.name, urls: missing.join(", ") });
    }
    const plain = plainOriginsOf(network);
    return plain.length === 0 ? network : { ...network, plainHttp: plain };
  }

  /** Allows http for these origins. The user has confirmed it. */
  async allow({ name }: NetworkProfile, origins: readonly string[]): Promise<void> {
    await this.#update(name, [...new Set([...this.#allowed(name), ...origins])]);
  }

  async forget(name: string): Promise<void> {
    await this.#update(name, undefined);
  }

  #allowed(name: string): readonly string[] {
    const all = this.#all();
    return Object.hasOwn(all, name) ? (tryRead(listOf(text), all[name]) ?? []) : [];
  }

  #all(): Readonly<Record<string, unknown>> {
    return tryRead(record, this.#state.get(STATE)) ?? {};
  }

  async #update(name: string, origins: readonly string[] | undefined): Promise<void> {
    await this.#state.update(STATE, { ...this.#all(), [name]: origins });
  }
}
