import type { JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { objectOf, textOf } from "../decode/json.ts";
import { matchNodeText, readMessage } from "../decode/message-text.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { fieldsOfJson } from "../words/fields.ts";
import { clip, type Finding, field, plainFinding, READINGS } from "../words/finding.ts";

type Words = Pick<Finding, "title" | "cause" | "fix">;

/** The codes of getsignweight and getapprovedlist, whose messages are always plain text (node behaviour 4). */
const signatureCodes: { readonly [code: string]: Words } = {
  NOT_ENOUGH_PERMISSION: {
    title: t`Too few signatures yet`,
    cause: t`The weight of the keys that signed is below the threshold of the permission.`,
    fix: t`Add signatures of further keys.`,
  },
  SIGNATURE_FORMAT_ERROR: {
    title: t`A signature has the wrong form`,
    cause: t`A signature of the transaction does not have 65 bytes.`,
    fix: t`Sign again.`,
  },
  COMPUTE_ADDRESS_ERROR: {
    title: t`A signature cannot be read`,
    cause: t`No key can be recovered from a signature of the transaction.`,
    fix: t`Sign the raw data again.`,
  },
  PERMISSION_ERROR: {
    title: t`A signature does not fit the permission`,
    cause: t`A key that signed is not in the permission, or the account has no such permission.`,
    fix: t`Sign with a key of the permission that Permission_id names.`,
  },
};

/**
 * Explains what is wrong with the signatures of a transaction that was looked at and not sent; undefined for other
 * codes.
 */
export function explainSignatureCode(answer: JsonObject, code: string): Finding | undefined {
  if (!Object.hasOwn(signatureCodes, code)) return undefined;
  const words = signatureCodes[code];
  if (words === undefined) return undefined;
  const message = textOf(objectOf(answer.result).message) ?? "";
  const found = matchNodeText(message);
  const said = message === "" ? "" : t` The node says: ${clip(message)}`;
  return plainFinding(
    code,
    { ...words, cause: words.cause + said },
    {
      category: "validation",
      entry: found?.entry.id ?? `code-${code}`,
      retry: verdictOf("sign-again"),
      decoded: [...field("code", code), ...(message === "" ? [] : readMessage(message).fields)],
      sources: ["protocol reference §4.4"],
    },
  );
}

/** Explains a look at the signatures of a transaction that found enough of them: its result is empty then. */
export function explainEnoughSignatures(answer: JsonObject): Finding {
  const words = {
    title: t`The signatures are enough`,
    cause: t`The weight of the keys that signed reaches the threshold of the permission. Looking sent nothing.`,
    fix: t`Send the transaction, when it has not been sent yet.`,
  };
  const txId = textOf(objectOf(answer.transaction).txid);
  return plainFinding("SIGNATURES", words, {
    entry: "signatures-enough",
    decoded: [...field("txID", txId, "tx-id"), ...fieldsOfJson(answer)],
    sources: [READINGS],
  });
}
