import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@finality/client/gateway";
import { lateText, leftText, noSignatureMessages, walletMessages } from "@finality/client/labels";
import { ChainError, isChainError } from "@finality/tron/errors";
import { localTime, roughly } from "@finality/tron/format";
import { type Address, defined, type Hex, hex, parseAddress, toBase58, visibleText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { WalletAnswer, WalletTask } from "../../webview-messages/wallet.ts";
import { isTranslated, pageLanguage } from "../language.ts";
import { notify, type Progress, showProgress } from "../prompts/notify.ts";
import type { ConnectableWallet, SigningRequest } from "./external-signer.ts";
import { type LoopbackServer, type PublicFile, serveLoopback } from "./loopback-server.ts";
import { type WalletOutcome, WalletSession, type WalletSessionOptions } from "./wallet-session.ts";

export interface BrowserWalletOptions {
  /** Folder of the built pages. */
  readonly folder: string;
  readonly clock: Clock;
}

type Ending =
  | WalletOutcome
  /** The user cancelled. */
  | { readonly kind: "cancelled" }
  | { readonly kind: "expired" }
  | { readonly kind: "not-opened" };

interface Waiting {
  readonly title: string;
  /** Time limit in ms. */
  readonly withinMs: number;
}

/** Creates the session's options. @param noticed - shows a message while the user waits */
type Asking = (noticed: WalletSessionOptions["noticed"]) => Omit<WalletSessionOptions, "clock" | "isTyped">;

interface Attended {
  readonly ending: Ending;
  /** True if the bytes were handed out. */
  readonly handedOut: boolean;
}

const CONNECT_MS = 600_000;
/** Longest time after the end in which a late signature is still reported; ms. */
const LATE_MS = 300_000;

/**
 * A wallet in the user's browser. While a signature is requested, this computer serves a page that shows the review
 * again and passes the exact bytes to the wallet.
 */
export class BrowserWallet implements ConnectableWallet {
  readonly #options: BrowserWalletOptions;
  readonly #closing = new AbortController();

  constructor(options: BrowserWalletOptions) {
    this.#options = options;
  }

  async sign(request: SigningRequest): Promise<Hex | undefined> {
    const { printForWallet } = await import("../secrets/lazy-signing.ts");
    const transaction = printForWallet(request);
    if (transaction === undefined) throw missing(noSignatureMessages.tooLarge);
    const until = localTime(request.expiration);
    const title = t`Waiting for the wallet in your browser… The transaction expires in ${roughly(request.validMs)}.`;
    const { ending, handedOut } = await this.#attend({ title, withinMs: request.validMs }, (noticed) => ({
      task: signTask(request),
      noticed,
      accountFault: (account) => accountFault(account, request.signer),
      handOut: async () => {
        await request.handOut();
        return transaction;
      },
      answerFault: (answer) => signatureFault(request, answer),
      cameLate: () => void notify("warning", lateText(until)),
    }));
    const possible = handedOut ? until : undefined;
    if (ending.kind === "cancelled") {
      if (possible !== undefined) void notify("information", leftText(possible));
      return undefined;
    }
    if (ending.kind === "answered" && ending.answer.kind === "signed") return hex(ending.answer.signature);
    throw failure(ending, noSignatureMessages.expired, possible);
  }

  async connect(): Promise<Address | undefined> {
    const title = t`Waiting for the wallet in your browser…`;
    const { ending } = await this.#attend({ title, withinMs: CONNECT_MS }, (noticed) => ({
      task: { kind: "connect" },
      noticed,
      accountFault: () => undefined,
      handOut: () => Promise.reject(missing(walletMessages.notAsked)),
      answerFault: async (answer) =>
        answer.kind === "connected" && addressIn(answer.account) === undefined
          ? walletMessages.noAddress(answer.account)
          : undefined,
      cameLate: () => undefined,
    }));
    if (ending.kind === "cancelled") return undefined;
    if (ending.kind === "answered" && ending.answer.kind === "connected") return parseAddress(ending.answer.account);
    throw failure(ending, noSignatureMessages.waitedEnough, undefined);
  }

  dispose(): void {
    this.#closing.abort();
  }

  /** Serves the page until the session ends, the user cancels or the time is over. */
  async #attend({ title, withinMs }: Waiting, asking: Asking): Promise<Attended> {
    const { clock, folder } = this.#options;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    const since = clock.now();
    return await showProgress(options, async (progress, cancellation) => {
      const noticed = noticeIn(progress);
      // On a desktop the URL becomes an argument of the browser's process, which every user of the computer can read.
      const isTyped = vscode.env.uiKind === vscode.UIKind.Desktop;
      const session = new WalletSession({ ...asking(noticed), clock, isTyped });
      if (isTyped) noticed(walletMessages.typeCode(session.secret));
      const server = await serveLoopback({ files: await walletPage(folder), posts: session.posts });
      const ending = await this.#firstOf(withinMs, [
        session.outcome,
        cancelledBy(cancellation),
        notOpened(server, isTyped ? "" : session.secret),
      ]).catch((error: unknown): Ending => ({ kind: "failed", error }));
      session.end(ending.kind === "expired" ? walletMessages.expired : walletMessages.cancelled);
      const mayComeLate = session.handedOut && (ending.kind === "cancelled" || ending.kind === "expired");
      const leftMs = Math.min(withinMs - (clock.now() - since), LATE_MS);
      void this.#close(server, mayComeLate ? leftMs : 0);
      return { ending, handedOut: session.handedOut };
    });
  }

  /** Resolves with the first ending, or after the time limit. A window that closes counts as cancelled. */
  async #firstOf(withinMs: number, endings: readonly Promise<Ending>[]): Promise<Ending> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#closing.signal]);
    const expired = this.#options.clock.sleep(withinMs, signal).then(
      (): Ending => ({ kind: "expired" }),
      (): Ending => ({ kind: "cancelled" }),
    );
    return await Promise.race([...endings, expired]).finally(() => over.abort());
  }

  /** Closes the server. A signature that arrives until then is reported and discarded. */
  async #close(server: LoopbackServer, afterMs: number): Promise<void> {
    if (afterMs > 0) await this.#options.clock.sleep(afterMs, this.#closing.signal).catch(() => undefined);
    server.close();
  }
}

function cancelledBy(cancellation: vscode.CancellationToken): Promise<Ending> {
  return new Promise((resolve) => {
    cancellation.onCancellationRequested(() => resolve({ kind: "cancelled" }));
  });
}

function noticeIn(progress: Progress): (message: string) => void {
  return (message) => progress.report({ message });
}

/** Opens the browser. Resolves only if that fails. The fragment reaches no server and no log. */
async function notOpened(server: LoopbackServer, fragment: string): Promise<Ending> {
  const here = vscode.Uri.parse(`${server.origin}/`, true);
  const { scheme, authority } = await vscode.env.asExternalUri(here);
  server.allow(`${scheme}://${authority}`);
  // VS Code opens the URL through the tunnel.
  if (!(await vscode.env.openExternal(here.with({ fragment })))) return { kind: "not-opened" };
  return await new Promise<Ending>(() => undefined);
}

function signTask({ review, signer, owner, permissionId }: SigningRequest): WalletTask {
  const { title, detail = "" } = review;
  const isAlone = signer === owner && permissionId === 0;
  return {
    kind: "sign",
    title: visibleText(title),
    detail: visibleText(detail, DETAIL),
    signer: toBase58(signer),
    permissionId: isAlone ? null : permissionId,
  };
}

/** Longest detail that VS Code's dialogs show. */
const DETAIL = 20_000;

function accountFault(account: string, expected: Address): string | undefined {
  const found = addressIn(account);
  if (found === undefined) return walletMessages.noAddress(account);
  return found === expected ? undefined : walletMessages.otherAccount(toBase58(found), expected);
}

function addressIn(account: string): Address | undefined {
  try {
    return parseAddress(account);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

const SIGNATURE = /^(?:0x)?[0-9a-f]{130}$/i;

/** Returns why a signature is not the requested one; undefined if it is. */
async function signatureFault(request: SigningRequest, answer: WalletAnswer): Promise<string | undefined> {
  if (answer.kind !== "signed") return undefined;
  if (!SIGNATURE.test(answer.signature)) return noSignatureMessages.noSignature;
  const { checkSignedTransaction } = await import("../secrets/lazy-signing.ts");
  try {
    const [signer] = checkSignedTransaction({ ...request, signatures: [hex(answer.signature)] });
    if (signer === request.signer) return undefined;
    if (answer.txId.toLowerCase() !== request.txId) return noSignatureMessages.otherBytes(answer.txId);
    return signer && noSignatureMessages.otherSigner(signer, request.signer);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return noSignatureMessages.noSignature;
  }
}

function failure(ending: Ending, late: string, possibleUntil?: string): unknown {
  return ending.kind === "failed" ? ending.error : missing(reasonOf(ending, late), possibleUntil);
}

/** Returns the reason of a failure. @param late - reason if the time is over */
function reasonOf(ending: Ending, late: string): string {
  if (ending.kind === "unfit") return ending.reason;
  if (ending.kind === "expired") return late;
  if (ending.kind === "not-opened") return noSignatureMessages.notOpened;
  if (ending.kind !== "answered") return noSignatureMessages.closed;
  const { answer } = ending;
  return noSignatureMessages.refused(answer.kind === "refused" ? answer.message : "");
}

function missing(reason: string, possibleUntil?: string): ChainError {
  return new ChainError("OUTSIDE_SIGNATURE_MISSING", {
    reason,
    ...defined({ possibleUntil }),
  });
}

/**
 * HTML of the page. It contains no transaction: the page requests it with the secret of its URL. Paths are relative,
 * because some tunnels add a prefix.
 */
const html = (): string => `<!DOCTYPE html>
<html lang="${pageLanguage()}">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${t`Finality: your wallet`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="wallet.css">
</head>
<body>
<main id="page"><noscript>${t`This page needs JavaScript to contact your wallet.`}</noscript></main>
<p id="news" class="unseen" role="status"></p>
<script src="words.js"></script>
<script src="wallet.js"></script>
</body>
</html>
`;

/** Returns the files of the page. @param folder - of the built pages */
export async function walletPage(folder: string): Promise<ReadonlyMap<string, PublicFile>> {
  const texts = isTranslated() ? [`words.${pageLanguage()}.js`] : [];
  const [script, style, spoken] = await Promise.all(
    ["wallet.js", "wallet.css", ...texts].map((name) => readFile(join(folder, name), "utf8")),
  );
  return new Map([
    ["/", { type: "text/html", text: html() }],
    ["/words.js", { type: "text/javascript", text: spoken ?? "" }],
    ["/wallet.js", { type: "text/javascript", text: script ?? "" }],
    ["/wallet.css", { type: "text/css", text: style ?? "" }],
  ]);
}
