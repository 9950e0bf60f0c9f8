import { randomBytes } from "node:crypto";
import type { JwtKeyRecord, OriginBound, TokenLifetime } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { freeLabel } from "@finality/tron/primitives";
import { object, text, tryReadJson, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { type JwtSecretKind, parseBoundSecret, printBoundSecret, type SecretStore } from "./secret-store.ts";

/** What the service and the person know a key by. The key itself stands elsewhere. */
const facts = object({ name: text, created: wholeNumber }, { keyId: text, replaces: text });

type Facts = Pick<JwtKeyRecord, "name" | "keyId" | "created" | "replaces">;

/** The service keeps no more for an account (gateway document, Authentication). */
const MOST_KEYS = 3;
/** The one key that earlier versions kept for a network. Its place in the storage has no ID. */
const FIRST = "first";
/** Of a record in the storage: its ID, then a blank, then the network. */
const PLACE = /^([0-9a-f]{16}) ([\s\S]*)$/;
const LAST_USED = "finality.jwtKeysLastUsed";
/** "Last used" is as coarse as this; ms. */
const USE_STEP_MS = 3_600_000;
const ENDLESS = "endless";

export interface JwtKeysOptions {
  readonly store: SecretStore;
  /** Holds when keys were used, and nothing else. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
  /** Unix ms. */
  readonly now: () => number;
  /** Told the owner whose keys changed. */
  readonly changed: (owner: string) => void;
}

/** The kinds of secrets that are read and written here. */
const KINDS: readonly JwtSecretKind[] = ["jwtKey", "jwtRecordKey", "jwtRecord", "jwtInUse", "jwtLifetime"];

/**
 * The JWT keys of networks, by the owner that `NetworkCredentials` gives each of them. A private key is written once and
 * deleted once, and nothing else stands beside it: so no window brings back what another one has removed. Which
 * records there are is seen in the storage itself, and which one is in use is one value.
 */
export class JwtKeys {
  readonly #options: JwtKeysOptions;

  constructor(options: JwtKeysOptions) {
    this.#options = options;
  }

  /**
   * The records, the oldest first.
   *
   * @param settingKeyId - of the settings, for a key of an earlier version whose ID stands there
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

  /** The private key of a record with the origins that it was entered for; undefined when there is none. */
  async privateKey(owner: string, id: string): Promise<OriginBound<string> | undefined> {
    const [kind, place] = placeOf(owner, id);
    const stored = await this.#options.store.get(kind, place);
    const secret = stored === undefined ? undefined : parseBoundSecret(stored);
    return typeof secret === "string" ? { value: secret, origins: [] } : secret;
  }

  /**
   * Adds a record. The first one of a network is in use at once, each further one when it is chosen.
   *
   * @throws {ChainError} `JWT_KEYS_FULL`, `SECRETS_UNAVAILABLE`
   */
  async add(
    owner: string,
    network: string,
    key: OriginBound<string>,
    known: Omit<Facts, "created">,
  ): Promise<JwtKeyRecord> {
    const before = await this.list(owner);
    if (before.length >= MOST_KEYS) throw new ChainError("JWT_KEYS_FULL", { network });
    const id = randomBytes(8).toString("hex");
    const name = freeLabel(
      known.name,
      before.map((it) => it.name),
    );
    const { store, now, changed } = this.#options;
    // Before the key: what was interrupted leaves no record, or one that is in use.
    if (before.length === 0) await store.set("jwtInUse", owner, id);
    await this.#write(owner, id, { ...known, name, created: now() });
    await store.set("jwtRecordKey", `${id} ${owner}`, printBoundSecret(key));
    const after = await this.list(owner);
    const added = after.find((it) => it.id === id);
    // Another window may have added one meanwhile: who sees too many gives way, if need be both.
    if (added === undefined || after.length > MOST_KEYS) {
      await this.remove(owner, id);
      throw new ChainError("JWT_KEYS_FULL", { network });
    }
    changed(owner);
    return added;
  }

  /** Changes what a record is known by; undefined takes a fact away. Of one that is gone nothing comes back. */
  async change(owner: string, record: JwtKeyRecord, change: Partial<Record<keyof Facts, string | undefined>>) {
    const { id, name, keyId, created, replaces } = record;
    if ((await this.privateKey(owner, id)) === undefined) return;
    await this.#write(owner, id, { name, keyId, created, replaces, ...change });
    this.#options.changed(owner);
  }

  /** From here on, each request that begins carries tokens of this record. */
  async use(owner: string, id: string): Promise<void> {
    await this.#options.store.set("jwtInUse", owner, id);
    this.#options.changed(owner);
  }

  /** Lets a private key go to other origins. One that is gone stays gone. */
  async bind(owner: string, id: string, further: (key: OriginBound<string>) => OriginBound<string>): Promise<void> {
    const key = await this.privateKey(owner, id);
    if (key === undefined) return;
    const [kind, place] = placeOf(owner, id);
    await this.#options.store.set(kind, place, printBoundSecret(further(key)));
    this.#options.changed(owner);
  }

  /** Whether a record and that it is in use outlive this window: what the editor could not store does not. */
  isLasting(owner: string, id: string): boolean {
    const { store } = this.#options;
    return store.isLasting(...placeOf(owner, id)) && store.isLasting("jwtInUse", owner);
  }

  /** Deletes a record with its private key. */
  async remove(owner: string, id: string): Promise<void> {
    const { store, state, changed } = this.#options;
    const [kind, place] = placeOf(owner, id);
    await store.delete(kind, place);
    await store.delete("jwtRecord", `${id} ${owner}`);
    const { [useKey(owner, id)]: used, ...others } = state.get<Uses>(LAST_USED) ?? {};
    if (used !== undefined) await state.update(LAST_USED, others);
    changed(owner);
  }

  /** Deletes all records of an owner, and what was chosen for them. */
  async removeAll(owner: string): Promise<void> {
    for (const id of await this.#ids(owner)) await this.remove(owner, id);
    await this.#options.store.delete("jwtInUse", owner);
    await this.#options.store.delete("jwtLifetime", owner);
    this.#options.changed(owner);
  }

  /** All owners that have anything here. */
  async owners(): Promise<readonly string[]> {
    const { store } = this.#options;
    const all = await Promise.all(
      KINDS.map(async (it) => (await store.owners(it)).map((at) => PLACE.exec(at)?.[2] ?? at)),
    );
    return [...new Set(all.flat())];
  }

  /** How long tokens last; undefined where nobody chose. */
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

  /** Notes that a token was signed with it. It is no secret, so it does not stand beside the key. */
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
      ...(lastUsed === undefined ? {} : { lastUsed }),
      ...(replaces === undefined ? {} : { replaces }),
    };
  }

  async #write(owner: string, id: string, known: Partial<Record<keyof Facts, string | number | undefined>>) {
    await this.#options.store.set(
      "jwtRecord",
      `${id} ${owner}`,
      JSON.stringify({ ...known, created: known.created ?? 0 }),
    );
  }
}

/** When each record was used last; Unix ms. */
type Uses = { readonly [key: string]: number };

function useKey(owner: string, id: string): string {
  return id === FIRST ? `${FIRST} ${owner}` : id;
}

function placeOf(owner: string, id: string): readonly [JwtSecretKind, string] {
  return id === FIRST ? ["jwtKey", owner] : ["jwtRecordKey", `${id} ${owner}`];
}
