import type { Clock } from "../gateway/clock.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { ChainPlace } from "../gateway/network.ts";
import type { JournalStore } from "../journal/journal-store.ts";
import type { ProofSources } from "../proof/confirm-absence.ts";
import type { ScanStore } from "../proof/kept-scan.ts";
import type { BlockFollower } from "./block-follower.ts";

/** Those who read the blocks of networks besides the tracker. */
export interface BlockFollowers {
  /** The networks on which somebody waits for blocks. */
  networks(): readonly string[];
  on(network: string): BlockFollower | undefined;
}

/** What the tracker needs of its surroundings. */
export interface TrackerOptions {
  readonly store: JournalStore;
  /**
   * The gateway of a network by its name. It may reject, for example when the profile is gone: that is trouble to show.
   */
  readonly gatewayFor: (network: string) => Promise<Gateway>;
  /** The network through which a transaction is asked for now; absent means the one that it was signed for. */
  readonly networkFor?: (place: ChainPlace) => string;
  /** Identifies the URL and settings of a network: another text after they changed. Sends no request. */
  readonly profileOf?: (network: string) => string;
  /** Who else is asked before a proof of absence counts; without it the gateway alone. */
  readonly sourcesFor?: (network: string) => Promise<ProofSources>;
  readonly clock: Clock;
  /**
   * How this computer is connected, as a text that is another one when that changes: looked at while nobody answers, so
   * that a connection that is back is used at once.
   */
  readonly connections?: (() => string) | undefined;
  /** They share the requests of the tracker. */
  readonly followers?: BlockFollowers | undefined;
  /** Where scans for proofs are kept for the next window. */
  readonly scans?: ScanStore;
  /** Under what the scan of a network is kept: its chain, where that is known; without it the network's name. */
  readonly scanKeyFor?: (network: string) => string;
  /** Told what nobody else can be told: a listener or a watch that failed for a reason of its own. */
  readonly log?: (message: string, error: unknown) => void;
  /** Told what was decided and why. */
  readonly note?: (message: string) => void;
}
