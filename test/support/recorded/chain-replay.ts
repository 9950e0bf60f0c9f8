import { create } from "@bufbuild/protobuf";
import type { Blockchain } from "../../../packages/local-chain/src/chain/blockchain.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import {
  bytesToHex,
  type Hex,
  hexToBytes,
  type TxId,
  transactionId,
} from "../../../packages/tron/src/primitives/bytes.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  printJson,
} from "../../../packages/tron/src/primitives/json.ts";
import { referenceTo } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { type Raw, RawSchema, TransactionSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import {
  decodeRawData,
  decodeTransaction,
  encodeRawData,
  encodeTransaction,
} from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import {
  type PrivateKey,
  recoverAddress,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import { rawDataFromJson } from "../../../packages/tron/src/transaction/transaction-json.ts";
import { loadRecordedKeys, type RecordedExchange } from "./exchanges.ts";

const keys = new Map(
  Object.values(loadRecordedKeys()).map(({ hex, pk }) => [parseAddress(hex), hexToBytes(pk) as PrivateKey]),
);

/**
 * Translates recorded requests to another chain: transactions get a reference block of that chain and new signatures by
 * the same keys, so their txIDs change, and ids in look-ups follow. Everything else stays.
 */
export class Translation {
  readonly #chain: Blockchain;
  readonly #references = new Map<Hex, { readonly bytes: Uint8Array; readonly hash: Uint8Array }>();
  readonly #ids = new Map<string, string>();
  readonly #blockIds = new Map<string, string>();

  constructor(chain: Blockchain) {
    this.#chain = chain;
  }

  /** The id that a recorded transaction has here, or undefined. */
  idHere(recorded: string): string | undefined {
    return this.#ids.get(recorded.toLowerCase());
  }

  learnTransaction(recorded: string, here: TxId): void {
    this.#ids.set(recorded, here);
  }

  /** Blocks are known by height; their ids differ, and look-ups by id follow. */
  learnBlock(recorded: string, here: string): void {
    this.#blockIds.set(recorded, here);
  }

  /** @param keepReference - the recorded reference block is wrong on purpose */
  body(exchange: RecordedExchange, keepReference: boolean): Json {
    const { requestBody: body } = exchange;
    if (!isJsonObject(body)) return body;
    if (typeof body.raw_data_hex === "string") return this.transaction(body, keepReference);
    if (typeof body.transaction === "string" && /^0a/.test(body.transaction)) {
      return { ...body, transaction: this.#hex(body.transaction) };
    }
    return typeof body.value === "string" ? { ...body, value: this.#value(body.value) } : body;
  }

  /** A transaction as JSON, with the altered or missing parts that it was recorded with. */
  transaction(body: JsonObject, keepReference = false): JsonObject {
    const signed = decodeRawData(hexToBytes(String(body.raw_data_hex))).raw;
    const here = keepReference ? signed : this.#here(signed);
    const idHere = transactionId(encodeRawData(here));
    const recordedId = transactionId(encodeRawData(signed));
    this.#ids.set(recordedId, idHere);
    this.#learnAltered(body, here);
    return {
      ...body,
      ...(body.txID === recordedId && { txID: idHere }),
      ...(isJsonObject(body.raw_data) && { raw_data: withReference(body.raw_data, here) }),
      raw_data_hex: bytesToHex(encodeRawData(here)),
      ...("signature" in body && { signature: resign(body.signature, recordedId, idHere) }),
    };
  }

  /** An altered `raw_data` has an id of its own, which the answer shows. */
  #learnAltered(body: JsonObject, here: Raw): void {
    try {
      const recorded = rawDataFromJson(body.raw_data, body.visible === true);
      const altered = { ...recorded, refBlockBytes: here.refBlockBytes, refBlockHash: here.refBlockHash };
      this.#ids.set(transactionId(encodeRawData(recorded)), transactionId(encodeRawData(altered)));
    } catch {
      // A raw_data that cannot be read has no id to learn.
    }
  }

  #hex(text: string): string {
    const message = decodeTransaction(hexToBytes(text));
    const signed = message.rawData ?? create(RawSchema);
    const here = this.#here(signed);
    const [recordedId, idHere] = [signed, here].map((raw) => transactionId(encodeRawData(raw)));
    if (recordedId === undefined || idHere === undefined) throw new TypeError("Unreachable.");
    this.#ids.set(recordedId, idHere);
    const signatures = message.signature.map((it) => hexToBytes(resignOne(bytesToHex(it), recordedId, idHere)));
    return bytesToHex(encodeTransaction(here, signatures));
  }

  /** The same transaction always refers to the same block here, so that sending it again is sending the same bytes. */
  #here(raw: Raw): Raw {
    const key = bytesToHex(encodeRawData(raw));
    const reference = this.#references.get(key) ?? referenceTo(this.#chain.solid.id);
    this.#references.set(key, reference);
    return { ...raw, refBlockBytes: reference.bytes, refBlockHash: reference.hash };
  }

  #value(text: string): string {
    const digits = text.replace(/^0x/, "");
    const here = this.idHere(digits) ?? this.#blockIds.get(digits);
    if (here === undefined) return text;
    const spelled = digits === digits.toUpperCase() ? here.toUpperCase() : here;
    return text.startsWith("0x") ? `0x${spelled}` : spelled;
  }
}

/** A transaction of the recorded answers as bytes for this chain. */
export function signedTransaction(json: JsonObject): ReturnType<typeof decodeTransaction> {
  const signature = (json.signature as readonly string[]).map(hexToBytes);
  return create(TransactionSchema, { rawData: decodeRawData(hexToBytes(String(json.raw_data_hex))).raw, signature });
}

function withReference(rawData: JsonObject, here: Raw): JsonObject {
  return {
    ...rawData,
    ...("ref_block_bytes" in rawData && { ref_block_bytes: bytesToHex(here.refBlockBytes) }),
    ...("ref_block_hash" in rawData && { ref_block_hash: bytesToHex(here.refBlockHash) }),
  };
}

function resign(signature: Json | undefined, recordedId: TxId, idHere: TxId): Json {
  if (typeof signature === "string") return resignOne(signature as Hex, recordedId, idHere);
  return Array.isArray(signature)
    ? signature.map((it: Json) => resignOne(it as Hex, recordedId, idHere))
    : (signature ?? null);
}

/** The signer of the recorded id signs the new one; a signature by an unknown key stays. */
function resignOne(signature: Hex, recordedId: TxId, idHere: TxId): Hex {
  try {
    const key = keys.get(recoverAddress(recordedId, signature));
    return key === undefined ? signature : signTransactionId(idHere, key);
  } catch {
    return signature;
  }
}

/** The body as text; the recorder has cut very long ones. */
export function bodyText(body: Json): string | undefined {
  if (body === null) return undefined;
  if (typeof body !== "string") return printJson(body);
  const cut = /\.\.\. \[(\d+) characters in all\]$/.exec(body);
  return cut === null ? body : body.slice(0, cut.index).padEnd(Number(cut[1]), "x");
}

/** Every complete, signed transaction that an answer shows, at any depth. */
export function transactionsIn(json: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(json)) return json.flatMap((it: Json) => transactionsIn(it));
  if (!isJsonObject(json)) return [];
  const own = typeof json.raw_data_hex === "string" && Array.isArray(json.signature) && "ret" in json ? [json] : [];
  return [...own, ...Object.values(json).flatMap((it) => transactionsIn(it))];
}

export function parseAnswer(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
