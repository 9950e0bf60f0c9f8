import { isChainError } from "@finality/tron/errors";
import { bytesToHex, hexToBytes, transactionId } from "@finality/tron/primitives";
import { decodeRawData, decodeTransaction, rawDataToJson } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { describeContract } from "../answers/transaction.ts";
import { fieldsOfJson } from "../words/fields.ts";
import { type Finding, field, plainFinding, READINGS } from "../words/finding.ts";

/** Explains the bytes of `raw_data`, or of a whole transaction; undefined for bytes that are neither. */
export function explainRawDataHex(hex: string): Finding | undefined {
  if (hex.length < 40 || !hex.startsWith("0a")) return undefined;
  const bytes = hexToBytes(hex);
  return explainRawData(bytes, "raw_data") ?? explainSigned(bytes);
}

function explainSigned(bytes: Uint8Array): Finding | undefined {
  const raw = orNothing(() => rawDataInside(bytes));
  return raw === undefined ? undefined : explainRawData(raw, t`a whole transaction`);
}

/** The first field of a transaction is its raw data, with its length before it. */
function rawDataInside(bytes: Uint8Array): Uint8Array | undefined {
  decodeTransaction(bytes);
  let length = 0;
  let at = 1;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length += (byte & 0x7f) << shift;
    if (byte < 0x80) return at + length <= bytes.length ? bytes.subarray(at, at + length) : undefined;
  }
  return undefined;
}

function explainRawData(bytes: Uint8Array, what: string): Finding | undefined {
  const json = orNothing(() => {
    const { raw, unknownFields } = decodeRawData(bytes);
    return raw.contract.length > 0 && unknownFields.length === 0 ? rawDataToJson(raw, false) : undefined;
  });
  if (json === undefined) return undefined;
  const txId = transactionId(bytes);
  return plainFinding(
    "RAW_DATA",
    {
      title: describeContract(json, {}).title,
      cause: t`The bytes of ${what}. Its txID is their SHA-256: ${txId}.`,
      fix: t`Compare every field with what was intended before it is signed.`,
    },
    {
      decoded: [
        ...field("txID", txId, "tx-id"),
        ...fieldsOfJson(json),
        ...field(t`raw data`, bytesToHex(bytes), "hex"),
      ],
      sources: [READINGS],
    },
  );
}

/** Any bytes may come here: those that are no transaction are something else, which is no failure. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isChainError(error) || error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}
