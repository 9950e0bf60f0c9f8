import type { Clock } from "@finality/client/gateway";

/** What tells of an outage, and how it is told. */
export interface OutageServices {
  /** The networks on which nobody answers; none while all is well. */
  unanswered(): readonly string[];
  /** Whether the trouble is in sight already, or nobody waits for anything. */
  isQuiet(): boolean;
  sleep: Clock["sleep"];
  say(networks: readonly string[]): void;
}

/** A request that fails once is none. */
const OUTAGE_MS = 10_000;

/** Speaks up once in each outage, when it lasts and nobody sees it. */
export class Outage {
  readonly #services: OutageServices;
  #over = new AbortController();
  #isOn = false;

  constructor(services: OutageServices) {
    this.#services = services;
  }

  /** To be called when the trouble changed. */
  look(): void {
    const isOn = this.#services.unanswered().length > 0;
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#over.abort();
    this.#over = new AbortController();
    if (isOn) void this.#wait(this.#over.signal);
  }

  dispose(): void {
    this.#over.abort();
  }

  async #wait(over: AbortSignal): Promise<void> {
    await this.#services.sleep(OUTAGE_MS, over).catch(() => undefined);
    if (!over.aborted && !this.#services.isQuiet()) this.#services.say(this.#services.unanswered());
  }
}
