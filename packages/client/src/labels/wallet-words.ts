import { type Address, foreignText, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { quoted } from "./reviews.ts";

const OTHER = 60;

/** Messages about the browser wallet. */
export const walletMessages = {
  stranger: t`Only the page that the editor opened may request this. Start again in the editor.`,
  usedTwice: t`The page was opened twice, so another program may have opened it. The request was cancelled. Start again in the editor, and do not reload the page.`,
  typeCode: (code: string) => t`Enter the code ${code} on the page in your browser.`,
  wrongCode: t`This code is wrong. Enter the code that the editor shows.`,
  wrongCodes: t`A wrong code was entered three times. The request was cancelled. Start again in the editor.`,
  bytesOnce: t`The transaction is given to a wallet only once. Cancel in the editor, and start again there.`,
  notHandedOut: t`The editor did not release the transaction, and shows the reason. Nothing was signed.`,
  answeredBefore: t`The wallet already answered. This answer is ignored.`,
  notAsked: t`This was not requested.`,
  over: t`The editor no longer waits. Nothing was sent. Reject any open request in the wallet.`,
  late: t`The editor was no longer waiting: this signature was discarded, and nothing was sent. The editor shows how long the wallet itself can send it.`,
  taken: {
    signed: t`Signed. The editor has the signature and continues. You can close this page.`,
    connected: t`The editor has the account. You can close this page.`,
    refused: t`Nothing was signed. The editor knows. You can close this page.`,
  },
  cancelled: t`You cancelled in the editor. Nothing was sent. Reject any open request in the wallet, and close this page.`,
  expired: t`The transaction expired before the wallet answered. Nothing was sent. Reject any open request in the wallet.`,
  waitedEnough: t`The editor stopped waiting. Start again there.`,

  otherAccount: (account: string, expected: Address) =>
    t`The wallet shows ${visibleLine(account, OTHER)}, but ${toBase58(expected)} has to sign. Choose that account in the wallet, then press the button again.`,
  noAddress: (account: string) =>
    t`The wallet reported ${visibleLine(account, OTHER)} as its account, which is not an address. Unlock it, then start again.`,
} as const;

/** Describes why there is no signature. */
export const noSignatureMessages = {
  refused: (message: string) =>
    message.trim() === ""
      ? t`The wallet in the browser did not sign and gave no reason.`
      : t`The wallet in the browser did not sign. Its reason: ${quoted(foreignText(message))}.`,
  closed: t`The page in the browser was closed before the wallet answered.`,
  expired: t`The transaction expired before the wallet in the browser answered. Give it more time when you send again.`,
  waitedEnough: t`The page in the browser was not used in time. Start again.`,
  notOpened: t`The browser was not opened. Allow the editor to open pages on this computer, then start again.`,
  noSignature: t`The wallet in the browser did not return a signature of 65 bytes.`,
  tooLarge: t`A number in this transaction is too large for wallets in browsers. Import the key, or sign it elsewhere with Export for Signature….`,
  otherSigner: (signer: Address, expected: Address) =>
    t`The signature of the wallet is from ${toBase58(signer)}, not from ${toBase58(expected)}: it signed with another account, or other bytes.`,
  otherBytes: (txId: string) =>
    t`The wallet changed the transaction before it signed: it signed ${visibleLine(txId, OTHER + 10)}, which you did not see in the editor. If the wallet sends that one itself, Track Transaction… shows it.`,
} as const;

/** Returns the message for a signature that came too late. */
export function lateText(until: string): string {
  return t`The wallet in the browser signed after you had stopped waiting. That signature was discarded, and nothing was sent from here. The wallet itself can send it until ${until}: the list tracks it.`;
}

/** Returns the message after the user stopped waiting for a wallet that has the bytes. */
export function leftText(until: string): string {
  return t`Nothing was sent. The wallet in the browser already had the transaction, so it counts as possible until ${until}: the list tracks it. To continue with the same transaction, use Add Signature… on its row.`;
}
