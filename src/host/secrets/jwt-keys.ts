import { randomBytes } from "node:crypto";
import type { JwtKeyRecord, OriginBound, TokenLifetime } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { defined, freeLabel } from "@finality/tron/primitives";
import { object, text, tryReadJson, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type JwtSecretKind, parseBoundSecret, printBoundSecret, type SecretStore } from "./secret-store.ts";

/** Metadata of a key. The key itself is stored elsewhere. */
const facts = object({ name: text, created: wholeNumber }, { keyId: text, replaces: text });

type Facts = Pick<JwtKeyRecord, "name" | "keyId" | "created" | "replaces">;

/** Most keys that the service stores per account (gateway document, Authentication). */
const MOST_KEYS = 3;
/** ID of the single key of earlier versions. Its storage entry has no ID. */
const FIRST = "first";
/** Storage entry of a record: its ID, a blank, the network. */
const PLACE = /^([0-9a-f]{16}) ([\s\S]*)$/;
const LAST_USED = "finality.jwtKeysLastUsed";
/** Resolution of "last used"; ms. */
const USE_STEP_MS = 3_600_000;
const ENDLESS = "endless";

export interface JwtKeysOptions {
  readonly store: SecretStore;
  /** Stores when keys were last used, and nothing else. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  /** Unix ms. */
  readonly now: () => number;
  /** Called with the owner whose keys changed. */
  readonly changed: (owner: string) => void;
}

/** Kinds of secrets that this module reads and writes. */
const KINDS: readonly JwtSecretKind[] = ["jwtKey", "jwtRecordKey", "jwtRecord", "jwtInUse", "jwtLifetime"];

/**
 * JWT keys of networks, by the owner that `NetworkCredentials` assigns. A private key is written once and deleted once,
 * in an entry of its own, so no window restores what another one removed. The storage itself lists the records, and one
 * value names the key in use.
 */
export class JwtKeys {
  readonly #options: JwtKeysOptions;

  constructor(options: JwtKeysOptions) {
    this.#options = options;
  }

  /**
   * Returns the records, oldest first.
   *
   * @param settingKeyId - from the settings, for a key of an earlier version whose ID is stored there
   * @throws {ChainError} `SECRETS_UNAVAILABLE`
   */
  async list(owner: string, settingKeyId?: string): Promise<readonly JwtKeyRecord[]> {
    const ids = await this.#ids(owner);
    const used = await this.#options.store.get("jwtInUse", owner);
    const records = await Promise.all(ids.map((id) => this.#record(owner, id, settingKeyId)));
    const inUse = used ?? (ids.includes(FIRST) || ids.length === 1 ? ids[0] : undefined);
    return records
      .sort((left, right) => (left.created ?? 0) - (right.created ?? 0) || (left.id < right.id ? -1 : 1))
      .map(({ replaces = "", ...it }) => ({
        ...it,
        ...(ids.includes(replaces) ? { replaces } : {}),
        inUse: it.id === inUse,
      }));
  }

  /** Returns the private key of a record with its allowed origins; undefined if there is none. */
  async privateKey(owner: string, id: string): Promise<OriginBound<string> | undefined> {
    const [kind, place] = storageKeyOf(owner, id);
    const stored = await this.#options.store.get(kind, place);
    const secret = stored === undefined ? undefined : parseBoundSecret(stored);
    return typeof secret === "string" ? { value: secret, origins: [] } : secret;
  }

  /**
   * Adds a record. The first one of a network is used at once, others when they are chosen.
   *
   * @throws {ChainError} `JWT_KEYS_FULL`, `SECRETS_UNAVAILABLE`
   */
  async add(
    owner: string,
    network: string,
    key: OriginBound<string>,
    facts: Omit<Facts, "created">,
  ): Promise<JwtKeyRecord> {
    const before = await this.list(owner);
    if (before.length >= MOST_KEYS) throw new ChainError("JWT_KEYS_FULL", { network });
    const id = randomBytes(8).toString("hex");
    const name = freeLabel(
      facts.name,
      before.map((it) => it.name),
    );
    const { store, now, changed } = this.#options;
    // Written before the key: after an interruption there is no record, or one that is in use.
    if (before.length === 0) await store.set("jwtInUse", owner, id);
    await this.#write(owner, id, { ...facts, name, created: now() });
    await store.set("jwtRecordKey", `${id} ${owner}`, printBoundSecret(key));
    const after = await this.list(owner);
    const added = after.find((it) => it.id === id);
    // Another window may have added one meanwhile. A window that sees too many removes its own record.
    if (added === undefined || after.length > MOST_KEYS) {
      await this.remove(owner, id);
      throw new ChainError("JWT_KEYS_FULL", { network });
    }
    changed(owner);
    return added;
  }

  /** Changes the metadata of a record; undefined removes a field. A deleted record does not come back. */
  async change(owner: string, record: JwtKeyRecord, change: Partial<Record<keyof Facts, string | undefined>>) {
    const { id, name, keyId, created, replaces } = record;
    if ((await this.privateKey(owner, id)) === undefined) return;
    await this.#write(owner, id, { name, keyId, created, replaces, ...change });
    this.#options.changed(owner);
  }

  /** Sets the key in use: new requests carry its tokens. */
  async use(owner: string, id: string): Promise<void> {
    await this.#options.store.set("jwtInUse", owner, id);
    this.#options.changed(owner);
  }

  /** Adds origins to a private key. A deleted key stays deleted. */
  async bind(owner: string, id: string, further: (key: OriginBound<string>) => OriginBound<string>): Promise<void> {
    const key = await this.privateKey(owner, id);
    if (key === undefined) return;
    const [kind, place] = storageKeyOf(owner, id);
    await this.#options.store.set(kind, place, printBoundSecret(further(key)));
    this.#options.changed(owner);
  }

  /** Returns whether a record and its use outlive this window. Secrets that VS Code could not store do not. */
  isLasting(owner: string, id: string): boolean {
    const { store } = this.#options;
    return store.isLasting(...storageKeyOf(owner, id)) && store.isLasting("jwtInUse", owner);
  }

  /** Deletes a record with its private key. */
  async remove(owner: string, id: string): Promise<void> {
    const { store, state, changed } = this.#options;
    const [kind, place] = storageKeyOf(owner, id);
    await store.delete(kind, place);
    await store.delete("jwtRecord", `${id} ${owner}`);
    const { [useKey(owner, id)]: used, ...others } = state.get<Uses>(LAST_USED) ?? {};
    if (used !== undefined) await state.update(LAST_USED, others);
    changed(owner);
  }

  /** Deletes all records of an owner with their settings. */
  async removeAll(owner: string): Promise<void> {
    for (const id of await this.#ids(owner)) await this.remove(owner, id);
    await this.#options.store.delete("jwtInUse", owner);
    await this.#options.store.delete("jwtLifetime", owner);
    this.#options.changed(owner);
  }

  /** Returns all owners with stored entries. */
  async owners(): Promise<readonly string[]> {
    const { store } = this.#options;
    const all = await Promise.all(
      KINDS.map(async (it) => (await store.owners(it)).map((at) => PLACE.exec(at)?.[2] ?? at)),
    );
    return [...new Set(all.flat())];
  }

  /** Returns the lifetime of tokens; undefined if none was chosen. */
  async lifetime(owner: string): Promise<TokenLifetime | undefined> {
    const stored = await this.#options.store.get("jwtLifetime", owner);
    if (stored === undefined) return undefined;
    return stored === ENDLESS ? "endless" : Number(stored) * 1000;
  }

  /** @param lifetime - ms, whole seconds */
  async setLifetime(owner: string, lifetime: TokenLifetime): Promise<void> {
    const stored = lifetime === "endless" ? ENDLESS : String(lifetime / 1000);
    await this.#options.store.set("jwtLifetime", owner, stored);
    this.#options.changed(owner);
  }

  /** Records the use of a key. It is no secret, so it is stored apart from the key. */
  noteUse(owner: string, id: string): void {
    const { state, now } = this.#options;
    const key = useKey(owner, id);
    const uses = state.get<Uses>(LAST_USED) ?? {};
    const at = now();
    if (Math.abs(at - (uses[key] ?? 0)) >= USE_STEP_MS) void state.update(LAST_USED, { ...uses, [key]: at });
  }

  async #ids(owner: string): Promise<readonly string[]> {
    const { store } = this.#options;
    const first = await store.get("jwtKey", owner);
    const places = await store.owners("jwtRecordKey");
    const ids = places.flatMap((it) => {
      const [, id = "", of] = PLACE.exec(it) ?? [];
      return of === owner ? [id] : [];
    });
    return [...(first === undefined ? [] : [FIRST]), ...ids];
  }

  async #record(owner: string, id: string, settingKeyId: string | undefined): Promise<Omit<JwtKeyRecord, "inUse">> {
    const stored = await this.#options.store.get("jwtRecord", `${id} ${owner}`);
    const known: Partial<Facts> = (stored === undefined ? undefined : tryReadJson(facts, stored)) ?? {};
    const {
      name = id === FIRST ? t`Key 1` : t`Key`,
      keyId = id === FIRST ? settingKeyId : undefined,
      created,
      replaces,
    } = known;
    const lastUsed = this.#options.state.get<Uses>(LAST_USED)?.[useKey(owner, id)];
    return {
      id,
      name,
      ...(keyId === undefined || keyId === "" ? {} : { keyId }),
      ...(created === undefined || created === 0 ? {} : { created }),
      ...defined({ lastUsed, replaces }),
    };
  }

  async #write(owner: string, id: string, facts: Partial<Record<keyof Facts, string | number | undefined>>) {
    await this.#options.store.set(
      "jwtRecord",
      `${id} ${owner}`,
      JSON.stringify({ ...facts, created: facts.created ?? 0 }),
    );
  }
}

/** Time of each record's last use; Unix ms. */
type Uses = { readonly [key: string]: number };

function useKey(owner: string, id: string): string {
  return id === FIRST ? `${FIRST} ${owner}` : id;
}

function storageKeyOf(owner: string, id: string): readonly [JwtSecretKind, string] {
  return id === FIRST ? ["jwtKey", owner] : ["jwtRecordKey", `${id} ${owner}`];
}
