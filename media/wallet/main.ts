import { t } from "@vscode/l10n";
import type { WalletAnswer, WalletTask } from "../../src/webview-messages/wallet.ts";
import { redraw } from "../shared/dom.ts";
import { draw, type Shown } from "./draw.ts";
import { ask, Refusal } from "./editor.ts";
import { accountOf, findWallets, messageOf, signWith, type Wallet } from "./provider.ts";
import "./wallet.css";

const page = document.getElementById("page");
const news = document.getElementById("news");

let shown: Shown = { task: undefined, wallets: [], sentence: t`Contacting the editor…`, phase: "busy" };

function show(change: Partial<Shown>): void {
  // The `over` phase is permanent: the last message is the correct one.
  if (shown.phase === "over" && change.phase !== "over") return;
  shown = { ...shown, ...change };
  if (page !== null)
    redraw(page, draw(shown, { wallet: (wallet) => void use(wallet), code: (code) => void open(code) }));
  if (news !== null && news.textContent !== shown.sentence) news.textContent = shown.sentence;
}

let token = "";

async function begin(): Promise<void> {
  const secret = location.hash.slice(1);
  // The history of the browser must not have the secret.
  history.replaceState(null, "", location.pathname);
  if (secret === "") show({ sentence: "", phase: "code" });
  else await open(secret);
}

/** Exchanges the secret for a token. A wrong code can be corrected. */
async function open(secret: string): Promise<void> {
  const isTyped = shown.phase === "code";
  try {
    const opened = await ask("/open", { secret });
    token = opened.token;
    show({ task: opened.task, sentence: "", phase: "ready" });
    findWallets((wallet) => show({ wallets: [...shown.wallets, wallet] }));
    await follow();
  } catch (error) {
    if (isTyped && error instanceof Refusal && error.status === 403) show({ sentence: error.message, phase: "code" });
    else end(error);
  }
}

/** Until the editor says that it is over. */
async function follow(): Promise<void> {
  for (;;) {
    const { sentence } = await ask("/wait", { token });
    if (sentence !== null) return show({ sentence, phase: "over" });
  }
}

async function use(wallet: Wallet): Promise<void> {
  const { task } = shown;
  if (task === undefined || shown.phase !== "ready") return;
  show({ sentence: t`Waiting for ${wallet.name}. It may have opened another window.`, phase: "busy" });
  try {
    const account = await accountOf(wallet);
    if (task.kind === "connect") await answer({ kind: "connected", account });
    else await sign(wallet, task, account);
  } catch (error) {
    // Nothing left the editor yet: the person may choose another account, and try again.
    if (error instanceof Refusal) show({ sentence: error.message, phase: "ready" });
    else show({ sentence: t`The wallet did not report its account: ${messageOf(error)}`, phase: "ready" });
  }
}

async function sign(wallet: Wallet, task: Extract<WalletTask, { kind: "sign" }>, account: string): Promise<void> {
  const { transaction } = await ask("/bytes", { token, account });
  try {
    const signed = await signWith(wallet, JSON.parse(transaction), task.permissionId);
    await answer({ kind: "signed", ...signed });
  } catch (error) {
    await answer({ kind: "refused", message: messageOf(error) });
  }
}

async function answer(last: WalletAnswer): Promise<void> {
  try {
    const { sentence } = await ask("/answer", { token, answer: last });
    show({ sentence, phase: "over" });
  } catch (error) {
    end(error);
  }
}

function end(error: unknown): void {
  show({ sentence: error instanceof Refusal ? error.message : String(error), phase: "over" });
}

void begin();
