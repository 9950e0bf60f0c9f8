import type { HeadSample, NetworkProfile } from "@finality/client/gateway";
import type { SharedNotices } from "../windows/shared-notices.ts";

export interface ClockCheckServices {
  readonly find: (network: string) => NetworkProfile | undefined;
  readonly notices: () => Promise<Pick<SharedNotices, "isHidden" | "hide" | "isSaidHere">>;
  /** Tells it, and whether the person has had enough of it; by default in a notice. */
  readonly say?: (network: string, differenceMs: number) => Promise<boolean>;
}

/** A clock that is further away makes tokens that are refused; ms. */
const CLOCK_MS = 30_000;
/** Between two looks at a chain that goes on, so much comes from blocks that are late; ms. */
const LATE_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Tells that the clock of this machine and a chain differ, where a gateway takes tokens: it compares their times with its
 * own. Once a day for each network, over all windows.
 */
export class ClockCheck {
  readonly #services: ClockCheckServices;
  readonly #said = new Set<string>();

  constructor(services: ClockCheckServices) {
    this.#services = services;
  }

  /** @param before - the head that was seen before it */
  saw(network: string, head: HeadSample, before: HeadSample | undefined): void {
    const profile = this.#services.find(network);
    if (profile?.jwt !== true || profile.local) return;
    const difference = differenceOf(head, before);
    const what = `clock ${network} ${Math.floor(head.local / DAY_MS)}`;
    if (difference === undefined || this.#said.has(what)) return;
    this.#said.add(what);
    void this.#tell(what, network, difference);
  }

  async #tell(what: string, network: string, difference: number): Promise<void> {
    const { say = sayClockDiffers } = this.#services;
    const notices = await this.#services.notices();
    if ((await notices.isHidden("clock")) || !(await notices.isSaidHere(what))) return;
    if (await say(network, difference)) await notices.hide("clock");
  }
}

async function sayClockDiffers(network: string, differenceMs: number): Promise<boolean> {
  const parts = await import("./clock-notice.ts");
  return await parts.sayClockDiffers(network, differenceMs);
}

/** How far the clock is away; undefined where that is too little, or may have another reason. */
function differenceOf(head: HeadSample, before: HeadSample | undefined): number | undefined {
  const behind = head.chain - head.local;
  if (behind >= CLOCK_MS) return behind;
  // A chain that stands still, or a node that catches up, looks old too.
  const goesOn = before !== undefined && head.chain > before.chain;
  const isSteady = goesOn && Math.abs(before.local - before.chain + behind) <= LATE_MS;
  return isSteady && -behind >= CLOCK_MS ? -behind : undefined;
}
