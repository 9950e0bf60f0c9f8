import { join } from "node:path";
import {
  type ChainAtUrl,
  type ChainId,
  commonChain,
  isChainOfRealMoney,
  type NetworkProfile,
  type NetworkRef,
  parseChainId,
} from "@finality/client/gateway";
import { isChainError, shortChainId } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import { PinFile } from "../journal/pin-file.ts";
import type { Log } from "../log/log.ts";
import type { Gateways } from "./gateways.ts";
import type { Networks } from "./networks.ts";

export interface ChainServices {
  /** Where it is kept what each URL said first. */
  readonly folder: string;
  readonly networks: Pick<Networks, "list" | "find">;
  readonly gateways: Pick<Gateways, "for" | "at">;
  /** Unix ms. */
  readonly now: () => number;
  readonly log: Pick<Log, "info" | "error">;
  /** Told that more is known than before. */
  readonly learned: () => void;
}

/** How long a URL that did not say is left alone; ms. */
const SILENCE_MS = 60_000;
/** How long it may take to say; ms. */
const PATIENCE_MS = 5_000;

/**
 * Which chain each network is: its genesis block, asked once in a window for each URL and compared with what that URL
 * said first.
 */
export class Chains {
  readonly #services: ChainServices;
  readonly #pins: PinFile;
  readonly #said = new Map<string, ChainId>();
  readonly #silentUntil = new Map<string, number>();
  readonly #asking = new Map<string, Promise<ChainId | undefined>>();

  constructor(services: ChainServices) {
    this.#services = services;
    const report = (error: unknown): void => services.log.error("What is known of the chains cannot be kept.", error);
    this.#pins = new PinFile(join(services.folder, "chains.jsonl"), report);
  }

  /** Reads what was said before; until then no chain is known. */
  ready(): Promise<void> {
    return this.#pins.read();
  }

  /**
   * The name of a network with its chain, where one of its URLs tells it or told it before. The embedded chain is
   * another one each time it starts, so it is asked each time.
   *
   * @throws {ChainError} `CHAIN_CHANGED`, `CHAINS_DIFFER`: nothing may be signed for it or sent to it
   */
  async placeOn(network: NetworkProfile): Promise<NetworkRef> {
    const chain = network.local ? await this.#ask(network, network.baseUrl) : await this.#chainOf(network);
    return { network: network.name, ...(chain === undefined ? {} : { chain }) };
  }

  /** As `placeOn`, with every URL asked anew. */
  async askAgain(network: NetworkProfile): Promise<NetworkRef> {
    for (const url of urlsOf(network)) {
      this.#said.delete(url);
      this.#silentUntil.delete(url);
    }
    return await this.placeOn(network);
  }

  /** The chain of a network as far as it is known without asking. */
  known(network: NetworkProfile): ChainId | undefined {
    const [first] = urlsOf(network).flatMap((url) => this.#said.get(url) ?? this.#kept(url) ?? []);
    return first;
  }

  /**
   * Returns whether a network is of real money by the chains that its URLs are, whatever its record says.
   *
   * @param networks - as their records say
   */
  isRealMoney(network: NetworkProfile, networks: readonly NetworkProfile[]): boolean {
    const chainsOf = (it: NetworkProfile) => urlsOf(it).flatMap((url) => this.#said.get(url) ?? this.#kept(url) ?? []);
    return isChainOfRealMoney(chainsOf(network), networks, chainsOf);
  }

  /**
   * The network through which what was signed is watched and sent: the one of its name, unless that is another chain
   * now or is gone and another network of its chain is there. Where there is none, a name that no network has.
   */
  networkFor({ network, chain }: NetworkRef): string {
    const { networks } = this.#services;
    const named = networks.find(network);
    const isSame = (it: NetworkProfile): boolean => !it.local && this.known(it) === chain;
    if (chain === undefined || named?.local === true || (named !== undefined && isSame(named))) return network;
    const other = networks.list().find(isSame);
    if (other !== undefined) return other.name;
    const isOther = named !== undefined && this.known(named) !== undefined;
    return isOther ? t`${network}, as it was: chain ${shortChainId(chain)}` : network;
  }

  /** Asks the networks that were never asked: one of them may be the chain of a name that is gone. */
  async findOut(): Promise<void> {
    const unknown = this.#services.networks.list().filter((it) => !it.local && this.known(it) === undefined);
    await Promise.allSettled(unknown.map((it) => this.placeOn(it)));
  }

  /**
   * Takes the chains that the URLs of a network are now for those that they are from here on. Only a person may say so.
   */
  async accept(network: NetworkProfile): Promise<void> {
    await this.#pins.read();
    for (const url of urlsOf(network)) {
      const [kept, said] = [this.#kept(url), await this.#ask(network, url)];
      if (kept !== undefined && said !== undefined && kept !== said) await this.#pins.replace(url, kept, said);
    }
    this.#services.learned();
  }

  async #chainOf(network: NetworkProfile): Promise<ChainId | undefined> {
    await this.#pins.read();
    const all = await Promise.all(urlsOf(network).map((url) => this.#atUrl(network, url)));
    this.#agreed(network, all);
    const pinned = await Promise.all(
      all.map(async ({ url, recorded, reported }) => {
        return { url, reported, recorded: recorded ?? (reported && parseChainId(await this.#pins.pin(url, reported))) };
      }),
    );
    if (pinned.some(({ recorded }, index) => recorded !== all[index]?.recorded)) this.#services.learned();
    // Another window may have pinned another one meanwhile.
    return this.#agreed(network, pinned);
  }

  /** What stops is asked again the next time: a gateway may be put right. */
  #agreed({ name }: NetworkProfile, urls: readonly ChainAtUrl[]): ChainId | undefined {
    try {
      return commonChain(name, urls);
    } catch (error) {
      for (const { url } of urls) this.#said.delete(url);
      throw error;
    }
  }

  async #atUrl(network: NetworkProfile, url: string): Promise<ChainAtUrl> {
    const reported = this.#said.get(url) ?? (await this.#askUnlessSilent(network, url));
    return { url, recorded: this.#kept(url), reported };
  }

  #kept(url: string): ChainId | undefined {
    return parseChainId(this.#pins.get(url) ?? "");
  }

  async #askUnlessSilent(network: NetworkProfile, url: string): Promise<ChainId | undefined> {
    const { now } = this.#services;
    if (now() < (this.#silentUntil.get(url) ?? 0)) return undefined;
    const asking = this.#asking.get(url) ?? this.#ask(network, url);
    this.#asking.set(url, asking);
    const said = await asking.finally(() => this.#asking.delete(url));
    if (said === undefined) this.#silentUntil.set(url, now() + SILENCE_MS);
    else this.#said.set(url, said);
    return said;
  }

  /** Undefined when it does not say: that alone stops nothing. */
  async #ask(network: NetworkProfile, url: string): Promise<ChainId | undefined> {
    const patience = new AbortController();
    const late = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      const isOwn = url === network.baseUrl || url === network.solidityBaseUrl;
      const { gateways } = this.#services;
      const gateway = await (isOwn ? gateways.for(network) : gateways.at(network, url));
      return await gateway.chainId(url === network.solidityBaseUrl ? "solid" : "head", patience.signal);
    } catch (error) {
      if (!isChainError(error) && !patience.signal.aborted) throw error;
      const reason = isChainError(error) ? error.message : t`It took too long.`;
      this.#services.log.info(`The genesis block of ${url} could not be read. ${reason}`);
      return undefined;
    } finally {
      clearTimeout(late);
    }
  }
}

/** The network's own URL first. */
function urlsOf({ baseUrl, solidityBaseUrl, fallbackUrls }: NetworkProfile): readonly string[] {
  return [...new Set([baseUrl, ...(solidityBaseUrl === undefined ? [] : [solidityBaseUrl]), ...fallbackUrls])];
}
