import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { Json } from "../../core/primitives/json.ts";
import { jsonInteger } from "../../core/primitives/json.ts";
import { contractTypeByNumber } from "../../core/transaction/contract-types.ts";
import { encodeRawData } from "../../core/transaction/raw-data-codec.ts";
import { broadcastMessage, Refusal } from "../chain/refusal.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { compact, printSpaced, type Reply } from "../http/message.ts";
import { packTransaction, unpackHex } from "./packed-transaction.ts";
import { printMessage } from "./print.ts";
import { checkBodySize, type Route, type ServletRequest, type View } from "./route.ts";

export const broadcastRoutes: readonly Route[] = [
  {
    name: "broadcasttransaction",
    servlet: "BroadcastServlet",
    solidity: false,
    post: broadcastTransaction,
    get: "refused",
  },
  { name: "broadcasthex", servlet: "BroadcastHexServlet", solidity: false, post: broadcastHex, get: "refused" },
];

/** Success has no `code`, failure no `result`: both would be defaults. */
function broadcastTransaction({ body }: ServletRequest, view: View): Reply {
  const { transaction, visible } = packTransaction(body);
  const refusal = submit(view, transaction);
  if (refusal === undefined) return compact({ result: true, txid: transaction.id });
  const message = printMessage(broadcastMessage(refusal), visible);
  return compact({ code: refusal.code, txid: transaction.id, message });
}

/** Prints every field, and the transaction as a text of JSON. */
function broadcastHex({ body }: ServletRequest, view: View): Reply {
  checkBodySize(body);
  const transaction = unpackHex(String(parseBody(body)?.transaction ?? ""));
  const refusal = submit(view, transaction);
  return compact({
    result: refusal === undefined,
    code: refusal?.code ?? "SUCCESS",
    txid: transaction.id,
    message: refusal === undefined ? "" : broadcastMessage(refusal),
    transaction: printSpaced(plainTransaction(transaction)),
  });
}

function submit(view: View, transaction: ChainTransaction): Refusal | undefined {
  try {
    view.submit(transaction);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal;
    throw refusal;
  }
}

/** The message itself, with the contract's bytes as hex: the one place where the node does not unfold them. */
function plainTransaction({ raw, signatures }: ChainTransaction): Json {
  if (encodeRawData(raw).length === 0) return {};
  return {
    raw_data: {
      ref_block_bytes: hexUnlessEmpty(raw.refBlockBytes),
      ref_block_hash: hexUnlessEmpty(raw.refBlockHash),
      expiration: integerUnlessZero(raw.expiration),
      data: hexUnlessEmpty(raw.data),
      contract: raw.contract.map(({ type, parameter, PermissionId }) => ({
        type: contractTypeByNumber(type)?.name ?? type,
        parameter: { type_url: parameter?.typeUrl ?? "", value: hexUnlessEmpty(parameter?.value) },
        Permission_id: PermissionId === 0 ? undefined : PermissionId,
      })),
      timestamp: integerUnlessZero(raw.timestamp),
      fee_limit: integerUnlessZero(raw.feeLimit),
    },
    ...(signatures.length === 0 ? {} : { signature: signatures.map((it) => bytesToHex(it)) }),
  };
}

function hexUnlessEmpty(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined || bytes.length === 0 ? undefined : bytesToHex(bytes);
}

function integerUnlessZero(value: bigint): Json | undefined {
  return value === 0n ? undefined : jsonInteger(value);
}
