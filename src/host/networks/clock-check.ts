import type { HeadSample, NetworkProfile } from "@finality/client/gateway";
import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../prompts/notify.ts";
import type { SharedNotices } from "../windows/shared-notices.ts";

export interface ClockCheckServices {
  readonly find: (network: string) => NetworkProfile | undefined;
  readonly notices: () => Promise<Pick<SharedNotices, "isHidden" | "hide" | "isShownHere">>;
  /** Shows the notice; returns true if the user hides it. By default a notification. */
  readonly say?: (network: string, differenceMs: number) => Promise<boolean>;
}

/** Difference from which gateways may refuse tokens; ms. */
const CLOCK_MS = 30_000;
/** Tolerance between two samples of a chain that advances, because blocks can be late; ms. */
const LATE_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Warns if the clocks of this machine and a chain differ on networks that use tokens, because gateways compare token
 * times with their clock. Once a day per network, over all windows.
 */
export class ClockCheck {
  readonly #services: ClockCheckServices;
  readonly #reported = new Set<string>();

  constructor(services: ClockCheckServices) {
    this.#services = services;
  }

  /** Handles a new head block. @param before - the previous head */
  saw(network: string, head: HeadSample, before: HeadSample | undefined): void {
    const profile = this.#services.find(network);
    if (profile?.jwt !== true || profile.local) return;
    const difference = differenceOf(head, before);
    const what = `clock ${network} ${Math.floor(head.local / DAY_MS)}`;
    if (difference === undefined || this.#reported.has(what)) return;
    this.#reported.add(what);
    void this.#report(what, network, difference);
  }

  async #report(what: string, network: string, difference: number): Promise<void> {
    const { say = sayClockDiffers } = this.#services;
    const notices = await this.#services.notices();
    if ((await notices.isHidden("clock")) || !(await notices.isShownHere(what))) return;
    if (await say(network, difference)) await notices.hide("clock");
  }
}

/** Returns the difference; undefined if it is small or may have another cause. */
function differenceOf(head: HeadSample, before: HeadSample | undefined): number | undefined {
  const behind = head.chain - head.local;
  if (behind >= CLOCK_MS) return behind;
  // A stopped chain, or a node that catches up, also looks old.
  const goesOn = before !== undefined && head.chain > before.chain;
  const isSteady = goesOn && Math.abs(before.local - before.chain + behind) <= LATE_MS;
  return isSteady && -behind >= CLOCK_MS ? -behind : undefined;
}

const [LOG, HIDE] = [t`Show Log`, t`Don't Show Again`];

/**
 * Shows that the clocks differ. Returns true if the user hides the notice.
 *
 * @returns whether the user has had enough of it
 */
async function sayClockDiffers(network: string, differenceMs: number): Promise<boolean> {
  const seconds = counted(Math.round(differenceMs / 1000), t`second`, t`seconds`);
  const message = t`The clock of this computer and the chain of ${network} differ by ${seconds}. Its gateway may refuse tokens: set the clock.`;
  const chosen = await notify("warning", message, LOG, HIDE);
  if (chosen === LOG) await vscode.commands.executeCommand("finality.showLog");
  return chosen === HIDE;
}
