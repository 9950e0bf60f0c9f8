import { join } from "node:path";
import {
  type ChainAtUrl,
  type ChainId,
  commonChain,
  type Gateway,
  isChainOfRealMoney,
  type NetworkProfile,
  type NetworkRef,
  parseChainId,
} from "@finality/client/gateway";
import { isChainError, shortChainId } from "@finality/tron/errors";
import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { PinFile } from "../storage/pin-file.ts";

export interface ChainServices {
  /** Folder of the stored chain IDs. */
  readonly folder: string;
  readonly networks: {
    list(): readonly NetworkProfile[];
    find(name: string): NetworkProfile | undefined;
  };
  readonly gateways: {
    for(network: NetworkProfile): Promise<Gateway>;
    at(network: NetworkProfile, url: string): Promise<Gateway>;
  };
  /** Unix ms. */
  readonly now: () => number;
  readonly log: {
    info(message: string): void;
    error(message: string, cause: unknown): void;
  };
  /** Called when a chain ID was learned. */
  readonly learned: () => void;
}

/** Time before a URL that gave no answer is asked again; ms. */
const SILENCE_MS = 60_000;
/** Time limit of a request; ms. */
const TIMEOUT_MS = 5_000;

/**
 * The chain of each network, identified by its genesis block. Each URL is asked once per window, and its answer is
 * compared with the first one it ever gave.
 */
export class Chains {
  /** Decimals of tokens, by chain and token. */
  readonly decimals: PinFile;

  readonly #services: ChainServices;
  readonly #pins: PinFile;
  readonly #reported = new Map<string, ChainId>();
  readonly #silentUntil = new Map<string, number>();
  readonly #asking = new Map<string, Promise<ChainId | undefined>>();

  constructor(services: ChainServices) {
    this.#services = services;
    const report = (error: unknown): void => services.log.error("What is known of the chains cannot be kept.", error);
    this.#pins = new PinFile(join(services.folder, "chains.jsonl"), report);
    const reportDecimals = (error: unknown): void =>
      services.log.error("The decimals of tokens cannot be kept.", error);
    this.decimals = new PinFile(join(services.folder, "token-decimals.jsonl"), reportDecimals);
  }

  /** Reads the stored chain IDs. Until then no chain is known. */
  ready(): Promise<void> {
    return this.#pins.read();
  }

  /**
   * Returns a network with its chain, if one of its URLs reports it or reported it before. The embedded chain changes
   * at each start, so it is asked each time.
   *
   * @throws {ChainError} `CHAIN_CHANGED`, `CHAINS_DIFFER`: nothing may be signed for it or sent to it
   */
  async networkRefOf(network: NetworkProfile): Promise<NetworkRef> {
    const chain = network.local ? await this.#ask(network, network.baseUrl) : await this.#chainOf(network);
    return { network: network.name, ...defined({ chain }) };
  }

  /** Like `networkRefOf`, but asks every URL again. */
  async askAgain(network: NetworkProfile): Promise<NetworkRef> {
    for (const url of urlsOf(network)) {
      this.#reported.delete(url);
      this.#silentUntil.delete(url);
    }
    return await this.networkRefOf(network);
  }

  /** Returns the chain if it is known without a request. */
  known(network: NetworkProfile): ChainId | undefined {
    const [first] = urlsOf(network).flatMap((url) => this.#reported.get(url) ?? this.#id(url) ?? []);
    return first;
  }

  /**
   * Returns whether a network uses real money by the chain IDs of its URLs, regardless of its settings.
   *
   * @param networks - as in the settings
   */
  isRealMoney(network: NetworkProfile, networks: readonly NetworkProfile[]): boolean {
    const chainsOf = (it: NetworkProfile) =>
      urlsOf(it).flatMap((url) => this.#reported.get(url) ?? this.#id(url) ?? []);
    return isChainOfRealMoney(chainsOf(network), networks, chainsOf);
  }

  /**
   * Returns the network that tracks and sends a signed transaction. This is the one with its name, or another one of
   * the same chain if that name is gone or now means another chain. Otherwise returns a name that no network has.
   */
  networkFor({ network, chain }: NetworkRef): string {
    const { networks } = this.#services;
    const named = networks.find(network);
    const isSame = (it: NetworkProfile): boolean => !it.local && this.known(it) === chain;
    if (chain === undefined || named?.local === true || (named !== undefined && isSame(named))) return network;
    const other = networks.list().find(isSame);
    if (other !== undefined) return other.name;
    const isOther = named !== undefined && this.known(named) !== undefined;
    return isOther ? t`${network} before: chain ${shortChainId(chain)}` : network;
  }

  /** Asks all networks whose chain is unknown: one of them may replace a removed network. */
  async findOut(): Promise<void> {
    const unknown = this.#services.networks.list().filter((it) => !it.local && this.known(it) === undefined);
    await Promise.allSettled(unknown.map((it) => this.networkRefOf(it)));
  }

  /** Accepts the current chains of a network's URLs as its chains from now on. Only the user may decide that. */
  async accept(network: NetworkProfile): Promise<void> {
    await this.#pins.read();
    for (const url of urlsOf(network)) {
      const [kept, said] = [this.#id(url), await this.#ask(network, url)];
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
    // Another window may have stored a different ID meanwhile.
    return this.#agreed(network, pinned);
  }

  /** Returns the common chain. After an error the URLs are asked again next time, because a gateway may be repaired. */
  #agreed({ name }: NetworkProfile, urls: readonly ChainAtUrl[]): ChainId | undefined {
    try {
      return commonChain(name, urls);
    } catch (error) {
      for (const { url } of urls) this.#reported.delete(url);
      throw error;
    }
  }

  async #atUrl(network: NetworkProfile, url: string): Promise<ChainAtUrl> {
    const reported = this.#reported.get(url) ?? (await this.#askUnlessSilent(network, url));
    return { url, recorded: this.#id(url), reported };
  }

  #id(url: string): ChainId | undefined {
    return parseChainId(this.#pins.get(url) ?? "");
  }

  async #askUnlessSilent(network: NetworkProfile, url: string): Promise<ChainId | undefined> {
    const { now } = this.#services;
    if (now() < (this.#silentUntil.get(url) ?? 0)) return undefined;
    const asking = this.#asking.get(url) ?? this.#ask(network, url);
    this.#asking.set(url, asking);
    const answer = await asking.finally(() => this.#asking.delete(url));
    if (answer === undefined) this.#silentUntil.set(url, now() + SILENCE_MS);
    else this.#reported.set(url, answer);
    return answer;
  }

  /** Requests the genesis block of a URL. Returns undefined if there is no answer; that alone blocks nothing. */
  async #ask(network: NetworkProfile, url: string): Promise<ChainId | undefined> {
    const patience = new AbortController();
    const late = setTimeout(() => patience.abort(), TIMEOUT_MS);
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

/** Returns all URLs of a network, its base URL first. */
function urlsOf({ baseUrl, solidityBaseUrl, fallbackUrls }: NetworkProfile): readonly string[] {
  return [...new Set([baseUrl, ...(solidityBaseUrl === undefined ? [] : [solidityBaseUrl]), ...fallbackUrls])];
}
