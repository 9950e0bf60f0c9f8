import { hexToBytes, isHexPairs } from "../primitives/bytes.ts";

/**
 * Decodes the text of a `message` or `resMessage`: only pairs of hex digits that are valid UTF-8 are decoded, anything
 * else is text. Plain text that happens to consist of hex pairs ("cafe") is decoded too if its bytes are UTF-8: the
 * rule of the gateway document has this ambiguity (Errors, 2).
 *
 * @example
 * decodeNodeMessage("5472616e73616374696f6e2065787069726564"); // "Transaction expired"
 */
export function decodeNodeMessage(message: string): string {
  if (!isHexPairs(message)) return message;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(hexToBytes(message));
  } catch {
    return message;
  }
}

/** Verdict on these bytes on this node, from a broadcast answer without `result: true`. */
export type CodeVerdict = "already-known" | "not-pooled" | "unknown";

/**
 * Classifies a broadcast code (protocol reference §7.4). Only `NOT_ENOUGH_EFFECTIVE_CONNECTION` needs the decoded
 * message: a node that has the transaction in its pool answers `P2P broadcast failed.`
 */
export function classifyBroadcastCode(code: string, message: string): CodeVerdict {
  return isBroadcastCode(code) ? verdicts[code](message) : "unknown";
}

/**
 * Returns the code that a message implies: `Transaction expired` and `signature error` mean the same under any code.
 * The classification of the code does not change.
 */
export function codeMeant(code: string, message: string): string {
  if (/^transaction expired\b/i.test(message)) return "TRANSACTION_EXPIRATION_ERROR";
  return /^(?:validate )?signature error\b/i.test(message) ? "SIGERROR" : code;
}

const notPooled = (): CodeVerdict => "not-pooled";
const unknown = (): CodeVerdict => "unknown";

const verdicts: { readonly [C in BroadcastCode]: (message: string) => CodeVerdict } = {
  /** A success without `result: true` contradicts itself. */
  SUCCESS: unknown,
  SIGERROR: notPooled,
  CONTRACT_VALIDATE_ERROR: notPooled,
  CONTRACT_EXE_ERROR: notPooled,
  BANDWITH_ERROR: notPooled,
  DUP_TRANSACTION_ERROR: () => "already-known",
  TAPOS_ERROR: notPooled,
  TOO_BIG_TRANSACTION_ERROR: notPooled,
  TRANSACTION_EXPIRATION_ERROR: notPooled,
  SERVER_BUSY: notPooled,
  NO_CONNECTION: notPooled,
  NOT_ENOUGH_EFFECTIVE_CONNECTION: (message) => (message.startsWith("Effective connection") ? "not-pooled" : "unknown"),
  BLOCK_UNSOLIDIFIED: notPooled,
  OTHER_ERROR: unknown,
};

/** Refusal of the form `{"Error": "class a.b.C : text"}`, or without the class. */
export interface NodeFault {
  /** Last part of the Java class, such as `ContractValidateException`; `Error` without one. */
  readonly code: string;
  readonly message: string;
}

const WITH_CLASS = /^class\s+(?:[\w$]+\.)*([\w$]+)\s*:\s?([\s\S]*)$/;

/** Parses the text of an `Error` body. It depends on the Java version: show it, never match on it. */
export function parseNodeFault(text: string): NodeFault {
  const [, code = "Error", message = text] = WITH_CLASS.exec(text) ?? [];
  return { code: code.split("$").at(-1) ?? code, message: message.trim() };
}

/** Returns whether the text of an `Error` body names a Java class, as the node prints it. */
export function hasFaultClass(text: string): boolean {
  return WITH_CLASS.test(text);
}

/** Failures of the Java runtime and its network, which do not tell whether the node processed the request. */
const BROKEN =
  /(?:.Error|TimeoutException|EofException|EOFException|IOException|(?:RejectedExecution|Interrupted|IllegalState)Exception)$/;

/** Returns true if a failure of this class does not show how far the node came. */
export function isBrokenNode(code: string): boolean {
  return BROKEN.test(code);
}

/**
 * Codes of a broadcast answer with their numbers (protocol reference §7.3). `BANDWITH_ERROR` is the node's spelling.
 */
export const BROADCAST_CODES = {
  SUCCESS: 0,
  SIGERROR: 1,
  CONTRACT_VALIDATE_ERROR: 2,
  CONTRACT_EXE_ERROR: 3,
  BANDWITH_ERROR: 4,
  DUP_TRANSACTION_ERROR: 5,
  TAPOS_ERROR: 6,
  TOO_BIG_TRANSACTION_ERROR: 7,
  TRANSACTION_EXPIRATION_ERROR: 8,
  SERVER_BUSY: 9,
  NO_CONNECTION: 10,
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 11,
  BLOCK_UNSOLIDIFIED: 12,
  OTHER_ERROR: 20,
} as const;

export type BroadcastCode = keyof typeof BROADCAST_CODES;

/** Returns true if the code is in the closed list. Any other text proves nothing. */
export function isBroadcastCode(code: string): code is BroadcastCode {
  return Object.hasOwn(BROADCAST_CODES, code);
}
