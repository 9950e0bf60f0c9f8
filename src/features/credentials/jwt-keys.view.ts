import type { JwtKeyRecord, NetworkProfile, TokenLifetime } from "@finality/client/gateway";
import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";

/** A line of a list, in words and codicons. */
interface ShownLine {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** Where the tokens of a key may go. The private key itself goes nowhere. */
export interface KeyPlace {
  readonly origins: readonly string[];
}

/** A record at a glance: whether it is in use, its ID, its dates, and where its private key is. */
export function describeKey(record: JwtKeyRecord, { origins }: KeyPlace): ShownLine {
  const { name, keyId, created, lastUsed, inUse, replaces } = record;
  const [state, id] = [stateOf(record), keyId === undefined ? t`no ID (kid) yet` : t`kid ${keyId}`];
  const dates = [
    created === undefined ? t`from an earlier version` : t`created ${dayOf(created)}`,
    lastUsed === undefined ? t`not used yet` : t`used ${dayOf(lastUsed)}`,
  ];
  const place = t`in secret storage, for ${origins.join(" ") || t`no URL`}`;
  return {
    label: `$(${inUse ? "pass-filled" : replaces === undefined ? "key" : "sync"}) ${name}`,
    description: [...(state === undefined ? [] : [state]), id].join(" · "),
    detail: [...dates, place].join(" · "),
  };
}

/** What there is to say of it besides its ID. */
function stateOf({ inUse, keyId, replaces }: JwtKeyRecord): string | undefined {
  if (inUse) return replaces === undefined ? t`in use` : t`in use, and the key before it is still there`;
  if (replaces === undefined) return undefined;
  return keyId === undefined ? t`rotation begun` : t`rotation begun, not tested yet`;
}

/** Local day, as `2026-11-23`. */
function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** @param lifetime - undefined where nobody chose */
export function lifetimeText(lifetime: TokenLifetime | undefined): string {
  if (lifetime === "endless") return t`tokens have no end (no exp)`;
  return t`tokens last ${counted((lifetime ?? 60_000) / 1000, t`second`, t`seconds`)}`;
}

/** What the person does with the public key, in order. */
export function accountSteps({ name: network, baseUrl }: NetworkProfile, name: string): string {
  const host = URL.parse(baseUrl)?.host ?? network;
  return t`The public key is on the clipboard. Open the JWT page of your account for ${host}, add a key named “${name}” and paste it there, then enter the ID that it gets (kid). Escape keeps the key without an ID; JWT Keys… goes on.`;
}

/** The name that a key gets when nobody gave it one. */
export function proposedName(records: readonly Pick<JwtKeyRecord, "name">[]): string {
  for (let number = 1; ; number++) {
    const name = t`Key ${number}`;
    if (!records.some((it) => it.name === name)) return name;
  }
}
