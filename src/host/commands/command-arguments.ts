import { ChainError, isChainError } from "@finality/tron/errors";
import {
  type Address,
  exactNumberText,
  isJsonObject,
  type Json,
  parseAddress,
  parseTxId,
  shorten,
  type TxId,
} from "@finality/tron/primitives";
import { type Fields, type ObjectOf, object, type Read, ReadError, text } from "@finality/tron/read";
import { t } from "@vscode/l10n";

/** What an argument with these fields holds. Each may be left out: what is needed and missing is asked for. */
export type ArgumentsOf<F extends Fields> = ObjectOf<Record<never, never>, F>;

/** Text. A number is taken as it is written: 1.5 is "1.5". `parseArguments` refuses those that lost digits. */
export const writtenText: Read<string> = (value) =>
  typeof value === "number" || typeof value === "bigint" ? String(value) : text(value);

/** Texts, or a single one. */
export const texts: Read<readonly string[]> = (value) => {
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((it) => typeof it === "string")) return value;
  throw new ReadError(t`a list of texts`);
};

/** Whatever JSON can say: who gets it reads it. */
export const json: Read<Json> = (value) => value as Json;

/**
 * Reads the argument of a command: an object of a keybinding, a task or another extension, or a row of a tree. Fields
 * that the command does not know are left out, for rows carry more. Null is the same as absent.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function parseArguments<F extends Fields>(value: unknown, fields: F): ArgumentsOf<F> {
  const source = isJsonObject(value) ? value : {};
  const named = Object.keys(fields).map((name) => [name, source[name] ?? undefined] as const);
  for (const [name, it] of named) if (typeof it === "number") exactNumber(name, it);
  try {
    return object({}, fields)(Object.fromEntries(named));
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw malformedArgument(error.path.slice(1), t`it has to be ${error.expected}`);
  }
}

/**
 * Returns a number of an argument as it was written.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` JSON may have lost digits of it
 */
export function exactNumber(argument: string, value: number): string {
  const written = exactNumberText(value);
  if (written === undefined) throw writeAsText(argument, value);
  return written;
}

/**
 * Returns an integer of an argument as it was written.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` it has a fraction, or JSON may have lost digits of it
 */
export function exactInteger(argument: string, value: number): bigint {
  const written = exactNumber(argument, value);
  if (!Number.isInteger(value)) throw writeAsText(argument, value);
  return BigInt(written);
}

function writeAsText(argument: string, value: number): ChainError {
  return malformedArgument(argument, t`write ${value} as a text, so that it keeps every digit`);
}

/**
 * The address of an account here by its name, or the address itself.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function readParty(
  argument: string,
  text: string,
  accounts: readonly { readonly label: string; readonly address: Address }[],
): Address {
  const named = accounts.find(({ label }) => label === text.trim())?.address;
  return named ?? readAs(argument, text.trim(), parseAddress);
}

/**
 * What the text of one field says.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` with the sentence of whoever parses it
 */
export function readAs<T>(argument: string, field: string, parse: (text: string) => T): T {
  try {
    return parse(field);
  } catch (cause) {
    if (!isChainError(cause)) throw cause;
    const reason = cause.message.replace(/[.。]$/, "");
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason }, { cause });
  }
}

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function readTxId(argument: string, field: string): TxId {
  const txId = parseTxId(field);
  if (txId !== undefined) return txId;
  throw malformedArgument(argument, t`${shorten(field)} is not a txID (64 hex digits)`);
}

/**
 * The txIDs of equal transactions of which the caller knows; blanks and commas may stand between them.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function readAcknowledged(fields: readonly string[]): readonly TxId[] {
  const txIds = fields.flatMap((it) => it.trim().split(/[\s,]+/));
  return txIds.map((it) => readTxId("acknowledgeUnknown", it));
}

/** The number of a permission: 0 is the owner's. @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function readPermissionId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,3}$/.test(text.trim())) return Number(text.trim());
  throw malformedArgument("permissionId", t`write the number of a permission, such as 2`);
}

/** A field of an argument that is not what it has to be, and why. */
export function malformedArgument(argument: string, reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason });
}
