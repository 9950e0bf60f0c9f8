import { timeLeft, timeTaken } from "@finality/tron/format";
import { type JsonObject, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** A token without its signature, and what the clocks said beside it; Unix ms. */
export interface InspectedToken {
  readonly network: string;
  /** The name of the record whose key signed it. */
  readonly key: string;
  readonly header: JsonObject;
  readonly payload: JsonObject;
  readonly local: number;
  /** Of the gateway's answers (`Date`), and of the newest block; absent where nobody said. */
  readonly server?: number;
  readonly head?: number;
}

/** All of it as a text to read and to copy. It holds nothing that lets anybody in. */
export function describeToken(token: InspectedToken): string {
  const { network, key, header, payload } = token;
  return [
    t`Token of ${visibleLine(network)}, as its next request carries it`,
    "",
    t`Header`,
    ...rows(header, { kid: t`of the JWT key “${visibleLine(key)}”`, alg: t`the one algorithm that is accepted` }),
    "",
    t`Payload`,
    ...rows(payload, { exp: endOf(payload), aud: t`the service that it is for` }),
    ...(payload.exp === undefined
      ? [t`  exp  left out: whoever gets hold of this token can use it until its key record is removed in the account`]
      : []),
    "",
    t`Times`,
    clockRow(t`this computer`, token.local, token),
    clockRow(t`the gateway`, token.server, token),
    clockRow(t`the newest block`, token.head, token),
    "",
    t`The signature is not shown: with it, anybody could send requests in your name.`,
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

/** When the token ends by one of the clocks, and how far that one is from ours. */
function clockRow(whose: string, at: number | undefined, { payload: { exp }, local }: InspectedToken): string {
  const clock = `  ${(t`clock of ${whose}`).padEnd(26)}`;
  if (at === undefined) return t`${clock} not known: the gateway did not say`;
  const apart = Math.round((at - local) / 1000);
  const beside = at === local ? "" : t`, ${apart === 0 ? t`the same as this computer` : differenceOf(apart)}`;
  return `${clock} ${utc(at)}${beside}${typeof exp === "number" ? t`: the token ${leftOf(exp * 1000 - at)}` : ""}`;
}

function differenceOf(seconds: number): string {
  const apart = timeTaken(Math.abs(seconds) * 1000);
  return seconds > 0 ? t`${apart} ahead of this computer` : t`${apart} behind this computer`;
}

function leftOf(ms: number): string {
  return ms > 0 ? t`ends in ${timeLeft(ms)}` : t`has ended by it, so it is dropped`;
}

/** `2026-11-23 20:45:12 UTC`. */
function utc(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");
}
