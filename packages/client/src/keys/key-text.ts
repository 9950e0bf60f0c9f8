import { ChainError } from "@finality/tron/errors";
import { isHexPairs, stripHexPrefix } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** What a text that is to become a key seems to be. */
export type KeyTextKind = "private key" | "mnemonic" | "keystore";

/**
 * Tells what the text of a file or a paste is meant to be, without checking it.
 *
 * @throws {ChainError} `KEY_TEXT_UNKNOWN`; nothing of the text enters the message
 */
export function kindOfKeyText(content: string): KeyTextKind {
  const text = content.replace(/^\uFEFF/, "").trim();
  if (text === "") throw unknown(t`it is empty`);
  if (text.startsWith("{")) return "keystore";
  if (text.startsWith("-----BEGIN")) throw unknown(t`it is PEM, which is for the JWT keys of networks`);
  if (isHexPairs(stripHexPrefix(text))) return "private key";
  if (/^\p{L}+(?:\s+\p{L}+){5,}$/u.test(text.normalize("NFKD").replace(/\p{M}/gu, ""))) return "mnemonic";
  throw unknown(t`it is no private key (64 hex digits), no mnemonic (12 to 24 words) and no keystore (JSON)`);
}

function unknown(reason: string): ChainError {
  return new ChainError("KEY_TEXT_UNKNOWN", { reason });
}
