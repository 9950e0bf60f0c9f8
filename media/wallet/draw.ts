import { t } from "@vscode/l10n";
import type { WalletTask } from "../../src/webview-messages/wallet.ts";
import { element } from "../shared/dom.ts";
import type { Wallet } from "./provider.ts";

/** Content of the page. */
export interface Shown {
  readonly task: WalletTask | undefined;
  readonly wallets: readonly Wallet[];
  /** Current activity or error message; empty if there is neither. */
  readonly sentence: string;
  /** `code`: the user types the code of the editor. `busy`: a wallet is asked. `over`: nothing can be done any more. */
  readonly phase: "code" | "ready" | "busy" | "over";
}

/** Actions of the page. */
interface Use {
  wallet(wallet: Wallet): void;
  code(code: string): void;
}

const NO_WALLET = t`No wallet was found in this browser. Unlock it or enable it for this page. If it is in another browser, cancel in the editor, select that browser in the setting workbench.externalBrowser, and start again.`;

/** The whole page. Texts are texts. */
export function draw({ task, wallets, sentence, phase }: Shown, use: Use): readonly Node[] {
  const isOpen = phase === "ready" && task !== undefined;
  return [
    element("p", { class: "place" }, t`Finality · wallet request`),
    ...(task === undefined ? [] : taskNodes(task)),
    ...(phase === "code" ? [codeForm(use)] : []),
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
        t`Finality adds the wallet's account to the editor. The key stays in the wallet, which asks you before each signature.`,
      ),
    ];
  }
  return [
    element("h1", {}, task.title),
    element("p", { class: "review" }, task.detail),
    element(
      "p",
      { class: "quiet" },
      t`You approved this in the editor. Compare it with what the wallet shows. Signer: ${task.signer}.`,
    ),
  ];
}

/** A form for the six digits that the editor shows. */
function codeForm(use: Use): HTMLElement {
  const input = element("input", {
    id: "code",
    "data-key": "code",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: "6",
    autofocus: "",
  });
  const submit = element("button", { type: "submit", "data-key": "continue" }, t`Continue`);
  const form = element(
    "form",
    { class: "code" },
    element("h1", {}, element("label", { for: "code" }, t`Enter the code shown in the editor`)),
    input,
    submit,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input instanceof HTMLInputElement) use.code(input.value.trim());
  });
  return form;
}

function button(task: WalletTask, wallet: Wallet, use: Use): HTMLElement {
  const what = task.kind === "connect" ? t`Connect ${wallet.name}` : t`Sign with ${wallet.name}`;
  const made = element("button", { type: "button", "data-key": `use ${wallet.name}` }, what);
  made.addEventListener("click", () => use.wallet(wallet));
  return made;
}
