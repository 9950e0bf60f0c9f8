import { t } from "@vscode/l10n";
import type { WalletPosts, WalletReplies, WalletTask } from "../../src/webview-messages/wallet.ts";
import { byKind, count, object, orNull, type Read, text } from "../shared/read.ts";

/** The editor refused the request. The message says why. */
export class Refusal extends Error {
  /** HTTP status; undefined if the editor did not answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

const SILENT = t`The editor no longer responds. Nothing was sent. Reject any open request in the wallet.`;

const task = byKind<WalletTask>({
  connect: object({}),
  sign: object({ title: text, detail: text, signer: text, permissionId: orNull(count) }),
});

const replies: { readonly [P in keyof WalletReplies]: Read<WalletReplies[P]> } = {
  "/open": object({ token: text, task }),
  "/bytes": object({ transaction: text }),
  "/answer": object({ sentence: text }),
  "/wait": object({ sentence: orNull(text) }),
};

const refusal = object({ sentence: text });

/** Asks the editor that serves this page. @throws {Refusal} */
export async function ask<P extends keyof WalletPosts>(path: P, body: WalletPosts[P]): Promise<WalletReplies[P]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`.${path}`, { method: "POST", headers, body: JSON.stringify(body) }).catch(
    () => undefined,
  );
  if (response === undefined) throw new Refusal(SILENT);
  const json: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new Refusal(messageIn(json), response.status);
  return replies[path](json);
}

function messageIn(json: unknown): string {
  try {
    return refusal(json).sentence;
  } catch (error) {
    if (error instanceof TypeError) return SILENT;
    throw error;
  }
}
