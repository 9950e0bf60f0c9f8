import type { JwtKeyRecord, NetworkProfile, TokenLifetime } from "@finality/client/gateway";
import { counted, timeLeft, timeTaken } from "@finality/tron/format";
import { type JsonObject, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Item of a list. */
interface ShownLine {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** Origins to which tokens of a key may be sent. The private key itself is never sent. */
interface KeyLocation {
  readonly origins: readonly string[];
}

/** Describes a record: whether it is in use, its ID, its dates, and where its private key is stored. */
export function describeKey(record: JwtKeyRecord, { origins }: KeyLocation): ShownLine {
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

/** Describes the use of a record, besides its ID. */
function stateOf({ inUse, keyId, replaces }: JwtKeyRecord): string | undefined {
  if (inUse) return replaces === undefined ? t`in use` : t`in use, and the key before it is still there`;
  if (replaces === undefined) return undefined;
  return keyId === undefined ? t`rotation started` : t`rotation started, not tested yet`;
}

/** Formats a local date, as `2026-11-23`. */
function dayOf(ms: number): string {
  const date = new Date(ms);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** @param lifetime - Undefined for the default. */
export function lifetimeText(lifetime: TokenLifetime | undefined): string {
  if (lifetime === "endless") return t`tokens never expire (no exp)`;
  return t`tokens are valid for ${counted((lifetime ?? 60_000) / 1000, t`second`, t`seconds`)}`;
}

/** Instructions for registering the public key. */
export function accountSteps({ name: network, baseUrl }: NetworkProfile, name: string): string {
  const host = URL.parse(baseUrl)?.host ?? network;
  return t`The public key is on the clipboard. Open the JWT page of your account for ${host}, add a key named “${name}” and paste it there, then enter the ID that it gets (kid). Press Escape to keep the key without an ID; JWT Keys… continues later.`;
}

/** Returns the default name of a new key. */
export function proposedName(records: readonly Pick<JwtKeyRecord, "name">[]): string {
  for (let number = 1; ; number++) {
    const name = t`Key ${number}`;
    if (!records.some((it) => it.name === name)) return name;
  }
}

/** Token without its signature, and the times of all clocks; Unix ms. */
export interface InspectedToken {
  readonly network: string;
  /** Name of the record whose key signed it. */
  readonly key: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
  readonly local: number;
  /** Time of the gateway (`Date` header) and of the newest block; absent if unknown. */
  readonly server?: number;
  readonly head?: number;
}

/** Describes a token as text. The result contains nothing that grants access. */
export function describeToken(token: InspectedToken): string {
  const { network, key, header, payload } = token;
  return [
    t`Token of ${visibleLine(network)} for its next request`,
    "",
    t`Header`,
    ...rows(header, { kid: t`of the JWT key “${visibleLine(key)}”`, alg: t`the only accepted algorithm` }),
    "",
    t`Payload`,
    ...rows(payload, { exp: endOf(payload), aud: t`the service that accepts it` }),
    ...(payload.exp === undefined
      ? [t`  exp  omitted: anyone who gets this token can use it until its key record is removed from the account`]
      : []),
    "",
    t`Times`,
    clockRow(t`this computer`, token.local, token),
    clockRow(t`the gateway`, token.server, token),
    clockRow(t`the newest block`, token.head, token),
    "",
    t`The signature is not shown: anyone who has it can send requests in your name.`,
    "",
  ].join("\n");
}

function rows(part: JsonObject, notes: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(part).map(([name, value]) => {
    const note = notes[name] ?? "";
    return `  ${name.padEnd(4)} ${visibleLine(String(value)).padEnd(32)} ${note}`.trimEnd();
  });
}

function endOf({ exp }: JsonObject): string {
  return typeof exp === "number" ? utc(exp * 1000) : "";
}

/** Describes one clock: its difference to the local clock, and when the token expires by it. */
function clockRow(whose: string, at: number | undefined, { payload: { exp }, local }: InspectedToken): string {
  const clock = `  ${(t`clock of ${whose}`).padEnd(26)}`;
  if (at === undefined) return t`${clock} unknown: the gateway did not report it`;
  const apart = Math.round((at - local) / 1000);
  const beside = at === local ? "" : t`, ${apart === 0 ? t`the same as this computer` : differenceOf(apart)}`;
  return `${clock} ${utc(at)}${beside}${typeof exp === "number" ? t`: the token ${leftOf(exp * 1000 - at)}` : ""}`;
}

function differenceOf(seconds: number): string {
  const apart = timeTaken(Math.abs(seconds) * 1000);
  return seconds > 0 ? t`${apart} ahead of this computer` : t`${apart} behind this computer`;
}

function leftOf(ms: number): string {
  return ms > 0 ? t`expires in ${timeLeft(ms)}` : t`has expired by it, so the gateway drops it`;
}

/** Formats a time, as `2026-11-23 20:45:12 UTC`. */
function utc(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");
}
