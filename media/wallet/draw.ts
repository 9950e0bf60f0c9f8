import { t } from "@vscode/l10n";
import type { WalletTask } from "../../src/webview-messages/wallet.ts";
import { element } from "../shared/dom.ts";
import type { Wallet } from "./provider.ts";

/** What the page shows. */
export interface Shown {
  readonly task: WalletTask | undefined;
  readonly wallets: readonly Wallet[];
  /** What is going on, or what went wrong; empty while nothing is. */
  readonly sentence: string;
  /** `busy`: a wallet is asked. `over`: nothing can be done here any more. */
  readonly phase: "ready" | "busy" | "over";
}

const NO_WALLET = t`No wallet was found in this browser. Unlock it or switch it on for this page. If it is in another browser, cancel in the editor, choose that browser in its setting workbench.externalBrowser, and begin again.`;

/** The whole page. Texts are texts. */
export function draw({ task, wallets, sentence, phase }: Shown, use: (wallet: Wallet) => void): readonly Node[] {
  const isOpen = phase === "ready" && task !== undefined;
  return [
    element("p", { class: "place" }, t`Finality · asks your wallet`),
    ...(task === undefined ? [] : taskNodes(task)),
    ...(sentence === "" ? [] : [element("p", { class: `sentence ${phase}` }, sentence)]),
    ...(isOpen && wallets.length === 0 ? [element("p", { class: "sentence" }, NO_WALLET)] : []),
    ...(isOpen ? [element("div", { class: "actions" }, ...wallets.map((it) => button(task, it, use)))] : []),
  ];
}

function taskNodes(task: WalletTask): readonly Node[] {
  if (task.kind === "connect") {
    return [
      element("h1", {}, t`Connect your wallet?`),
      element(
        "p",
        {},
        t`Its account is added to the editor. Its key stays in the wallet, and each signature asks you.`,
      ),
    ];
  }
  return [
    element("h1", {}, task.title),
    element("p", { class: "review" }, task.detail),
    element(
      "p",
      { class: "quiet" },
      t`You said yes to this in the editor. Compare it with what the wallet shows: ${task.signer} signs.`,
    ),
  ];
}

function button(task: WalletTask, wallet: Wallet, use: (wallet: Wallet) => void): HTMLElement {
  const what = task.kind === "connect" ? t`Connect ${wallet.name}` : t`Sign with ${wallet.name}`;
  const made = element("button", { type: "button", "data-key": `use ${wallet.name}` }, what);
  made.addEventListener("click", () => use(wallet));
  return made;
}
