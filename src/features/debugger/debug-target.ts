import type { ContractRun } from "@finality/client/gateway";
import { addressIn, hex, parseTxId, stripHexPrefix, sun, type TxId } from "@finality/tron/primitives";
import { integerText, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";

/** Run that a configuration names. */
export type DebugTarget =
  | { readonly kind: "transaction"; readonly txId: TxId; readonly network?: string }
  /** Call or deployment that is not sent. */
  | { readonly kind: "call"; readonly run: ContractRun; readonly network?: string }
  /** Call of a file, at the line from 1 or nearest to it. */
  | { readonly kind: "file"; readonly callFile: string; readonly line: number };

/** Target, or the sentence that says what is wrong with the configuration. */
export type ParsedTarget = DebugTarget | { readonly problem: string };

/** Reads the target of a configuration, which a file of the workspace can hold. */
export function parseTarget(configuration: object): ParsedTarget {
  const { transaction, call, callFile, line = 1, network } = configuration as { readonly [field: string]: unknown };
  if (network !== undefined && typeof network !== "string") return { problem: t`"network" has to be a name.` };
  const named = network === undefined || network === "" ? {} : { network };
  if ([transaction, call, callFile].filter((it) => it !== undefined).length > 1)
    return { problem: t`Name one of "transaction", "call" and "callFile".` };
  if (callFile !== undefined) {
    if (typeof callFile !== "string" || callFile === "")
      return { problem: t`"callFile" has to be the path of a file.` };
    if (typeof line !== "number" || !Number.isSafeInteger(line) || line < 1)
      return { problem: t`"line" has to be a whole number from 1.` };
    return { kind: "file", callFile, line };
  }
  if (transaction !== undefined) {
    const txId = typeof transaction === "string" ? parseTxId(transaction.trim()) : undefined;
    if (txId === undefined) return { problem: t`"transaction" has to be a txID of 64 hex digits.` };
    return { kind: "transaction", txId, ...named };
  }
  if (call === undefined) return { problem: t`The configuration names no "transaction", "call" or "callFile".` };
  const run = parseCall(call);
  return "problem" in run ? run : { kind: "call", run, ...named };
}

/** Fields of a call in a configuration. */
type CallFields = { readonly [field: string]: unknown };

function parseCall(call: unknown): ContractRun | { readonly problem: string } {
  if (typeof call !== "object" || call === null) return { problem: t`"call" has to be an object.` };
  const { from, to, data = "", value = 0, tokenId, tokenValue } = call as CallFields;
  const owner = typeof from === "string" ? addressIn(from) : undefined;
  if (owner === undefined) return { problem: t`"call.from" has to be an address.` };
  const contract = typeof to === "string" ? addressIn(to) : undefined;
  if (to !== undefined && contract === undefined) return { problem: t`"call.to" has to be an address.` };
  const digits = typeof data === "string" ? stripHexPrefix(data) : "-";
  if (!/^(?:[\da-f]{2})*$/i.test(digits)) return { problem: t`"call.data" has to be hex.` };
  const amounts = [value, tokenId, tokenValue].map(amountOf);
  const [callValue, id, amount] = amounts;
  if (amounts.includes("wrong")) return { problem: t`"call.value" and the fields of tokens have to be whole numbers.` };
  return {
    owner,
    ...(contract !== undefined && { contract }),
    data: hex(digits.toLowerCase()),
    callValue: sun(typeof callValue === "bigint" ? callValue : 0n),
    ...(typeof id === "bigint" && { tokenId: id }),
    ...(typeof amount === "bigint" && { tokenValue: amount }),
  };
}

/** Returns a whole number; `wrong` for another value, undefined for none. */
function amountOf(value: unknown): bigint | "wrong" | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,30}$/.test(String(value))) return "wrong";
  return tryRead(integerText, String(value)) ?? "wrong";
}

/** Returns a call as a configuration has it. */
export function callFields({ owner, contract, data, callValue, tokenId, tokenValue }: ContractRun): CallFields {
  return {
    from: owner,
    ...(contract !== undefined && { to: contract }),
    data,
    value: String(callValue),
    ...(tokenId !== undefined && { tokenId: String(tokenId) }),
    ...(tokenValue !== undefined && { tokenValue: String(tokenValue) }),
  };
}
