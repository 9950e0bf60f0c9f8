import { ChainError, isChainError } from "../../core/errors/chain-error.ts";
import { type Address, parseAddress } from "../../core/primitives/address.ts";
import { parseCoins, type Sun } from "../../core/primitives/amount.ts";
import { shorten } from "../../core/primitives/bytes.ts";
import { parseTxId, type TxId } from "../../core/primitives/hash.ts";
import { isJsonObject } from "../../core/primitives/json.ts";

/** What Send Coins was told in advance. Everything that is missing is asked for. */
export interface SendArguments {
  readonly from?: Address;
  readonly to?: Address;
  readonly amount?: Sun;
  readonly memo?: string;
  readonly label?: string;
  /** The txIDs of equal transactions that may still be executed: the caller knows of them and pays again. */
  readonly acknowledgeUnknown?: readonly TxId[];
}

/**
 * Reads the argument of Send Coins: an object of a keybinding, a task or another extension, or a row of Accounts.
 *
 * @param addressOf - the address of an account's name
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function parseSendArguments(value: unknown, addressOf: (name: string) => Address | undefined): SendArguments {
  if (!isJsonObject(value)) return {};
  const party = (text: string): Address => addressOf(text) ?? parseAddress(text);
  return withoutAbsent({
    from: read(value, "from", party) ?? read(value, "address", party),
    to: read(value, "to", party),
    amount: read(value, "amount", parseCoins),
    memo: read(value, "memo", (text) => text),
    label: read(value, "label", (text) => text),
    acknowledgeUnknown: readTxIds(value.acknowledgeUnknown),
  });
}

/** The network that an argument names, read first because the names of accounts belong to it. */
export function networkNameOf(value: unknown): string | undefined {
  return isJsonObject(value) ? read(value, "network", (text) => text) : undefined;
}

/** Whether nothing is left to be asked, so that no dialog is needed to know what to do. */
export function isComplete(it: SendArguments): it is SendArguments & { from: Address; to: Address; amount: Sun } {
  return it.from !== undefined && it.to !== undefined && it.amount !== undefined;
}

/** Numbers are taken as they are written: 1.5 is "1.5". */
function read<T>(
  object: { readonly [key: string]: unknown },
  argument: string,
  parse: (text: string) => T,
): T | undefined {
  const value = object[argument];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" && typeof value !== "number") {
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument, reason: "it has to be text" });
  }
  try {
    return parse(String(value));
  } catch (cause) {
    if (!isChainError(cause)) throw cause;
    throw new ChainError(
      "COMMAND_ARGUMENT_MALFORMED",
      { argument, reason: cause.message.replace(/\.$/, "") },
      { cause },
    );
  }
}

/** One txID, or several in a list or with blanks or commas between them. */
export function readTxIds(value: unknown): readonly TxId[] | undefined {
  if (value === undefined || value === null) return undefined;
  const texts: readonly unknown[] = typeof value === "string" ? value.trim().split(/[\s,]+/) : [value].flat();
  return texts.map((text) => {
    const txId = typeof text === "string" ? parseTxId(text) : undefined;
    if (txId !== undefined) return txId;
    const reason = `${shorten(String(text))} is not a txID (64 hex digits)`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "acknowledgeUnknown", reason });
  });
}

type WithoutAbsent<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(value: T): WithoutAbsent<T> {
  return Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined)) as WithoutAbsent<T>;
}
