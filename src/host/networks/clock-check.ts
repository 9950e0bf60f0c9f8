import type { HeadSample, NetworkProfile } from "@finality/client/gateway";
import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../prompts/notify.ts";
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

/** How far the clock is away; undefined where that is too little, or may have another reason. */
function differenceOf(head: HeadSample, before: HeadSample | undefined): number | undefined {
  const behind = head.chain - head.local;
  if (behind >= CLOCK_MS) return behind;
  // A chain that stands still, or a node that catches up, looks old too.
  const goesOn = before !== undefined && head.chain > before.chain;
  const isSteady = goesOn && Math.abs(before.local - before.chain + behind) <= LATE_MS;
  return isSteady && -behind >= CLOCK_MS ? -behind : undefined;
}

const [LOG, HIDE] = [t`Show Log`, t`Don't Show Again`];

/**
 * Says that the clock of this machine differs from a chain. A part of its own: hardly anybody needs it.
 *
 * @returns whether the person has had enough of it
 */
async function sayClockDiffers(network: string, differenceMs: number): Promise<boolean> {
  const seconds = counted(Math.round(differenceMs / 1000), t`second`, t`seconds`);
  const message = t`The clock of this machine and the chain of ${network} differ by ${seconds}. Its gateway may refuse tokens: set the clock.`;
  const chosen = await notify("warning", message, LOG, HIDE);
  if (chosen === LOG) await vscode.commands.executeCommand("finality.showLog");
  return chosen === HIDE;
}
