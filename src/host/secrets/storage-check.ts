import { randomUUID } from "node:crypto";
import { isChainError } from "@finality/tron/errors";
import { object, text, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";

/** What stands against storing a key in the secret storage of the editor. */
export type StorageTrouble =
  /** It stores nothing. */
  | { readonly kind: "missing"; readonly reason: string }
  /** What was stored in an earlier session is gone. */
  | { readonly kind: "forgot" }
  /** It stores, and nobody has seen yet that it keeps. */
  | { readonly kind: "unproven" };

export interface StorageLook {
  readonly secrets: Pick<vscode.SecretStorage, "get" | "store">;
  readonly state: Pick<vscode.Memento, "get" | "update">;
  /** Of this window: another one after each start. */
  readonly session: string;
}

/** In both: no secret, only something that has to come back. */
const MARK = "finality.storageMark";

const readMark = object({ value: text, session: text }, { forgotIn: text });

/** Waits for the storage as long as it may take. @throws {ChainError} `SECRETS_UNAVAILABLE` */
type Attempt = <T>(access: () => Thenable<T>) => Promise<T>;

/**
 * Looks whether the secret storage works, and whether it kept a mark of an earlier session, of which the state of the
 * editor knows. The editor itself does not say it: without a keyring it keeps secrets in memory and tells no extension.
 *
 * @returns undefined when it keeps what it is given
 */
export async function lookAtStorage(look: StorageLook, attempt: Attempt): Promise<StorageTrouble | undefined> {
  try {
    return await attempt(() => lookAtMark(look));
  } catch (error) {
    if (!isChainError(error) || error.code !== "SECRETS_UNAVAILABLE") throw error;
    return { kind: "missing", reason: error.details.reason };
  }
}

async function lookAtMark({ secrets, state, session }: StorageLook): Promise<StorageTrouble | undefined> {
  const known = tryRead(readMark, state.get<unknown>(MARK));
  const isKept = known !== undefined && (await secrets.get(MARK)) === known.value;
  const value = isKept ? known.value : randomUUID();
  await secrets.store(MARK, value);
  if ((await secrets.get(MARK)) !== value) return { kind: "missing", reason: t`what is stored cannot be read back` };
  if (isKept && known.forgotIn === session) return { kind: "forgot" };
  if (isKept) return known.session === session ? { kind: "unproven" } : undefined;
  await state.update(MARK, { value, session, ...(known === undefined ? {} : { forgotIn: session }) });
  return { kind: known === undefined ? "unproven" : "forgot" };
}
