import { isAlive, type TrackedTransaction } from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { grouped } from "@finality/tron/format";
import { isJsonObject, type JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

const WHOLE = /^\d{1,15}$/;
const SPAN = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)?$/i;
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`; how many at most is for the chain to say */
export function parseBlocks(text: string): number {
  const blocks = WHOLE.test(text.trim()) ? Number(text) : 0;
  if (blocks > 0) return blocks;
  throw malformed("blocks", t`it has to be a whole number from 1 on`);
}

/**
 * Milliseconds from a number of them, or from a number with a unit such as "90 s", "10 min", "2 h", "1 d".
 * @throws {ChainError}
 */
export function parseSpan(text: string): number {
  const [, number = "", unit = "ms"] = SPAN.exec(text.trim()) ?? [];
  const ms = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? 0));
  if (ms > 0 && Number.isSafeInteger(ms)) return ms;
  throw malformed(
    "ms",
    t`it has to be a number of milliseconds, or one with a unit such as "90 s", "10 min", "2 h" or "1 d"`,
  );
}

export function missing(argument: string): ChainError {
  return malformed(argument, t`it is missing`);
}

/** What is said while a person types; undefined while all is well. */
export function complaint(parse: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      parse(text);
      return undefined;
    } catch (error) {
      return error instanceof ChainError ? sentence(error) : String(error);
    }
  };
}

/**
 * What going back costs, for somebody who is asked whether to.
 *
 * @param snapshot - its name; undefined for the beginning
 */
export function lossOf(snapshot: string | undefined, live: number, listed: number): string {
  const point = snapshot === undefined ? t`its first blocks` : t`the snapshot "${snapshot}"`;
  const blocks = t`The chain goes back to ${point}: what was sent since then is gone from it, and balances are as they were.`;
  if (listed === 0) return blocks;
  return t`${blocks} ${listedText(listed)}${openText(live)} What the chain no longer has leaves the list, and the journal keeps it.`;
}

function listedText(listed: number): string {
  return listed === 1
    ? t`There is ${grouped(listed)} transaction of it in the list.`
    : t`There are ${grouped(listed)} transactions of it in the list.`;
}

function openText(live: number): string {
  if (live === 0) return "";
  return live === 1 ? t` ${grouped(live)} of them is not final yet.` : t` ${grouped(live)} of them are not final yet.`;
}

/** Where the chain stands, in a few words. */
export function placeText({ head, solid }: JsonObject): string {
  return t`Block ${heightOf(head)} · solidified ${heightOf(solid)}`;
}

function heightOf(block: unknown): string {
  return isJsonObject(block) && typeof block.number === "number" ? grouped(block.number) : "?";
}

function sentence({ details }: ChainError): string {
  const reason = "reason" in details ? String(details.reason) : "";
  const whole = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return t`${whole}.`;
}

function malformed(argument: string, reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason });
}

/**
 * Those of the list that the chain went back behind: what it no longer has, what was final and is not, and what it
 * never had and might have got.
 *
 * @param fates - where the chain says that each of them is now, by txID
 */
export function forgotten<T extends Pick<TrackedTransaction, "txId" | "state" | "attempts">>(
  listed: readonly T[],
  fates: JsonObject,
): readonly T[] {
  return listed.filter((it) => {
    const fate = fates[it.txId];
    if (fate === "lost") return true;
    if (it.state.kind === "solidified") return fate === "block" || fate === "pool";
    return isAlive(it) && fate === "unknown";
  });
}
