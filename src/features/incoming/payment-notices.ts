import type { Clock } from "@finality/client/gateway";
import { type Payment, paymentKey } from "@finality/client/incoming";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { confirmInStatusBar, notify } from "../../host/prompts/notify.ts";
import { incomingNoticesSetting, muteIncomingNotices } from "../../host/settings/feature-settings.ts";
import type { SharedNotices } from "../../host/windows/shared-notices.ts";

/** Time within which payments that become final share one notice, ms. */
const TOGETHER_MS = 1_000;
/** Shortest time between two notices with the setting `everyMinute`, ms. */
const MINUTE_MS = 60_000;

const SHOW = t`Show`;
const MUTE = t`Mute`;

interface NoticeServices {
  readonly notices: () => Promise<Pick<SharedNotices, "isShownHere">>;
  readonly textOf: (payments: readonly Payment[]) => Promise<string>;
  /** Local clock, Unix ms. */
  readonly now: () => number;
  readonly sleep: Clock["sleep"];
}

/** Reports incoming payments as often as the settings allow, all payments of that time in one message. */
export class PaymentNotices implements vscode.Disposable {
  readonly #services: NoticeServices;
  #fresh: Payment[] = [];
  #isWaiting = false;
  readonly #closing = new AbortController();
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(services: NoticeServices) {
    this.#services = services;
  }

  add(fresh: readonly Payment[]): void {
    this.#fresh.push(...fresh);
    if (this.#fresh.length === 0 || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#services.sleep(this.#delay(), this.#closing.signal).then(
      () => this.#show(),
      () => undefined,
    );
  }

  dispose(): void {
    this.#closing.abort();
  }

  #delay(): number {
    if (incomingNoticesSetting() !== "everyMinute") return TOGETHER_MS;
    return Math.max(TOGETHER_MS, this.#shownAt + MINUTE_MS - this.#services.now());
  }

  async #show(): Promise<void> {
    const { notices, textOf, now } = this.#services;
    const fresh = this.#fresh.splice(0);
    this.#isWaiting = false;
    if (incomingNoticesSetting() === "off") return;
    // In every window, so that the next notice waits wherever this one is shown.
    this.#shownAt = now();
    const windows = await notices();
    const isShownHere = await Promise.all(fresh.map((it) => windows.isShownHere(`paid ${paymentKey(it)}`)));
    const payments = fresh.filter((_, at) => isShownHere[at] === true);
    if (payments.length === 0) return;
    const chosen = await notify("information", await textOf(payments), SHOW, MUTE);
    if (chosen === SHOW) await vscode.commands.executeCommand("finality.transactions.focus");
    if (chosen !== MUTE) return;
    await muteIncomingNotices();
    confirmInStatusBar(t`Muted: payments are shown in the Transactions view only`);
  }
}
