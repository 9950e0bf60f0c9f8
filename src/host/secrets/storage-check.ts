import { randomUUID } from "node:crypto";
import { isChainError } from "@finality/tron/errors";
import { object, text, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";

/** Reason why a key in VS Code's secret storage may be lost. */
export type StorageIssue =
  /** The storage does not work. */
  | { readonly kind: "missing"; readonly reason: string }
  /** An entry of an earlier session is gone. */
  | { readonly kind: "forgot" }
  /** It works, but no entry has survived a restart yet. */
  | { readonly kind: "unproven" };

export interface StorageCheckOptions {
  readonly secrets: Pick<vscode.SecretStorage, "get" | "store">;
  readonly state: Pick<vscode.Memento, "get" | "update">;
  /** ID of this session; a new one after each start. */
  readonly session: string;
}

/** Marker in both storages; not secret. */
const MARK = "finality.storageMark";

const readMark = object({ value: text, session: text }, { forgotIn: text });

/** Applies the storage's time limit. @throws {ChainError} `SECRETS_UNAVAILABLE` */
type Attempt = <T>(access: () => Thenable<T>) => Promise<T>;

/**
 * Checks whether the secret storage works and kept a marker of an earlier session. VS Code does not tell: without a
 * keyring it keeps secrets in memory.
 *
 * @returns undefined if the storage is reliable
 */
export async function checkStorage(options: StorageCheckOptions, attempt: Attempt): Promise<StorageIssue | undefined> {
  try {
    return await attempt(() => checkMark(options));
  } catch (error) {
    if (!isChainError(error) || error.code !== "SECRETS_UNAVAILABLE") throw error;
    return { kind: "missing", reason: error.details.reason };
  }
}

async function checkMark({ secrets, state, session }: StorageCheckOptions): Promise<StorageIssue | undefined> {
  const known = tryRead(readMark, state.get<unknown>(MARK));
  const isStored = known !== undefined && (await secrets.get(MARK)) === known.value;
  const value = isStored ? known.value : randomUUID();
  await secrets.store(MARK, value);
  if ((await secrets.get(MARK)) !== value) return { kind: "missing", reason: t`stored values cannot be read back` };
  if (isStored && known.forgotIn === session) return { kind: "forgot" };
  if (isStored) return known.session === session ? { kind: "unproven" } : undefined;
  await state.update(MARK, { value, session, ...(known === undefined ? {} : { forgotIn: session }) });
  return { kind: known === undefined ? "unproven" : "forgot" };
}
