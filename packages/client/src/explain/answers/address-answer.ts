import type { JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { MESSAGE } from "../decode/message-text.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { clip, type Finding, field, plainFinding, READINGS } from "../words/finding.ts";

const OF_ADDRESSES = /address|length|format|base58|hex/i;

/** Explains the answer of validateaddress, which has a result and a message and nothing else. */
export function explainAddressAnswer({ result, message, ...rest }: JsonObject): Finding | undefined {
  if (result !== false || typeof message !== "string" || Object.keys(rest).length > 0) return undefined;
  if (!OF_ADDRESSES.test(message.slice(0, 200))) return undefined;
  return plainFinding(
    "ADDRESS_INVALID",
    {
      title: t`The address is not valid`,
      cause: t`The node says: ${clip(message)}`,
      fix: t`Copy the address again: 34 characters that begin with T, or 42 hex digits that begin with 41.`,
    },
    {
      category: "validation",
      entry: "address-invalid",
      retry: verdictOf("request-after-fix"),
      decoded: field(MESSAGE, message),
      sources: [READINGS],
    },
  );
}
