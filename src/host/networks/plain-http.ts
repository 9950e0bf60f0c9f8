import { type NetworkProfile, plainOriginsOf } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { listOf, record, text, tryRead } from "@finality/tron/read";
import type * as vscode from "vscode";

/** The origins that a person allows http for, by the name of the network. */
const STATE = "finality.plainHttp";

/**
 * Which networks may be asked without encryption, and where. It is kept in the state of the extension, which no setting
 * and no other extension writes.
 */
export class PlainHttp {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The origins of a network for which nobody allowed http yet. */
  missing(network: NetworkProfile): readonly string[] {
    if (network.local) return [];
    const allowed = this.#allowed(network.name);
    return plainOriginsOf(network).filter((it) => !allowed.includes(it));
  }

  /**
   * The network with what was allowed for it.
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

  /** The person was asked. */
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
