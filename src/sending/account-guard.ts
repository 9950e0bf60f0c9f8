import { ChainError } from "@finality/tron/errors";
import { type Address, toBase58 } from "@finality/tron/primitives";
import { object, type ReadOf, text, tryReadJson } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import { confirmModal } from "../host/prompts/notify.ts";
import type { SecretStore } from "../host/secrets/secret-store.ts";

export interface GuardOptions {
  /** Stored on the user's computer, so that all hosts read the same. */
  readonly secrets: SecretStore;
  /** Remote hosts that may sign. Stored beside the secrets, for all hosts. */
  readonly state: Pick<import("vscode").Memento, "get" | "update">;
  /** Id of this host's journal. */
  readonly journalId: () => Promise<string>;
  /** Name of this host, untranslated because it is stored. */
  readonly host: string;
  /** Set if this host is another computer, so that signing moves keys there. */
  readonly isRemote: boolean;
}

const ALLOWED = "finality.remoteHosts";

/**
 * One journal guards an account: only its host signs, because other journals do not know what was sent there. A remote
 * host asks once, because keys move to it. Accounts of a local chain need no guard.
 */
export class AccountGuard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Prompts before this host may sign for an account. Returns false if the user cancels. */
  async pass(owner: Address, name: string = toBase58(owner)): Promise<boolean> {
    return (await this.#passRemote()) && (await this.#passJournal(owner, name));
  }

  /** @throws {ChainError} `ACCOUNT_GUARDED_ELSEWHERE` */
  async require(owner: Address): Promise<void> {
    const guard = await this.#guardOf(owner);
    if (guard?.journal === (await this.#options.journalId())) return;
    throw new ChainError("ACCOUNT_GUARDED_ELSEWHERE", {
      address: toBase58(owner),
      host: guard?.host ?? t`another host`,
    });
  }

  async #passRemote(): Promise<boolean> {
    const { isRemote, state, journalId, host } = this.#options;
    if (!isRemote) return true;
    const here = await journalId();
    const allowed = state.get<readonly string[]>(ALLOWED) ?? [];
    if (allowed.includes(here)) return true;
    const title = t`Sign on ${host}?`;
    const detail = t`In this window Finality runs on that host, and the signing keys are used there. Its administrators can read those keys, and the journal of sent transactions is stored there too. Finality asks once for each host.`;
    if (!(await confirmModal({ title, detail }, t`Sign There`))) return false;
    await state.update(ALLOWED, [...allowed, here]);
    return true;
  }

  async #passJournal(owner: Address, name: string): Promise<boolean> {
    const { journalId, secrets, host, isRemote } = this.#options;
    const [guard, journal] = [await this.#guardOf(owner), await journalId()];
    if (guard?.journal === journal) return true;
    if (guard !== undefined) {
      const here = isRemote ? host : t`this computer (${host})`;
      const title = t`Move the guard of ${name} to ${here}?`;
      const detail = t`The journal on ${guard.host} guards this account. Its transactions are not known here, so an equal payment would not be noticed. Check there first: continue only when no transaction is open there.`;
      if (!(await confirmModal({ title, detail }, t`Move the Guard`))) return false;
    }
    await secrets.set("guard", owner, JSON.stringify({ journal, host }));
    return true;
  }

  async #guardOf(owner: Address): Promise<Guard | undefined> {
    return parseGuard(await this.#options.secrets.get("guard", owner));
  }
}

const guard = object({ journal: text, host: text });

type Guard = ReadOf<typeof guard>;

/** Reads a guard. An unreadable one belongs to an unknown host, so the user is asked. */
function parseGuard(stored: string | undefined): Guard | undefined {
  if (stored === undefined) return undefined;
  return tryReadJson(guard, stored) ?? { journal: "", host: t`another host` };
}
