import { type Json, type JsonObject, jsonInteger } from "../../core/primitives/json.ts";
import { PermissionSchema } from "../../core/transaction/gen/transaction_pb.js";
import { messageToJson } from "../../core/transaction/transaction-json.ts";
import { Refusal } from "../chain/refusal.ts";
import { approvals, requiredPermission, SignatureRefusal, signerOf } from "../chain/signatures.ts";
import { ownerOf } from "../chain/transaction.ts";
import { compact, type Reply } from "../http/message.ts";
import { type Packed, packTransaction } from "./broadcast.ts";
import { printAddress, printTransaction } from "./print.ts";
import { accountIn, type Route, type ServletRequest, type View } from "./route.ts";

export const multiSignRoutes: readonly Route[] = [
  {
    name: "getsignweight",
    servlet: "GetTransactionSignWeightServlet",
    solidity: false,
    post: signWeight,
    get: "empty",
  },
  {
    name: "getapprovedlist",
    servlet: "GetTransactionApprovedListServlet",
    solidity: false,
    post: approvedList,
    get: "empty",
  },
];

/** How much weight the signatures have so far. Messages are plain text here, whatever `visible` says. */
function signWeight({ body }: ServletRequest, view: View): Reply {
  const packed = packTransaction(body);
  return compact({ ...weigh(packed, view), transaction: echo(packed) });
}

function weigh({ transaction, visible }: Packed, view: View): JsonObject {
  if (transaction.contract === undefined) {
    return { result: { code: "OTHER_ERROR", message: "Invalid transaction: no valid contract" } };
  }
  let permission: JsonObject | undefined;
  try {
    if (accountIn(view, ownerOf(transaction.contract)) === undefined) throw noAccount();
    const required = requiredPermission(view.state, transaction);
    permission = messageToJson(PermissionSchema, required, visible);
    const { addresses, weight } = approvals(required, transaction);
    return {
      result: weight >= required.threshold ? {} : { code: "NOT_ENOUGH_PERMISSION" },
      ...approvedBy(addresses.map((it) => printAddress(it, visible))),
      permission,
      current_weight: weight === 0n ? undefined : jsonInteger(weight),
    };
  } catch (refusal) {
    return { result: problem(refusal), permission };
  }
}

/** Who has signed, whether or not a permission knows them. */
function approvedList({ body }: ServletRequest, _view: View): Reply {
  const packed = packTransaction(body);
  const { transaction, visible } = packed;
  try {
    const signers = transaction.signatures.map((it) => printAddress(signerOf(transaction.id, it), visible));
    return compact({ result: {}, ...approvedBy(signers), transaction: echo(packed) });
  } catch (refusal) {
    return compact({ result: problem(refusal), transaction: echo(packed) });
  }
}

function approvedBy(signers: readonly string[]): JsonObject {
  return signers.length === 0 ? {} : { approved_list: signers };
}

function noAccount(): SignatureRefusal {
  return new SignatureRefusal("PERMISSION_ERROR", "Account does not exist!");
}

function problem(refusal: unknown): Json {
  if (refusal instanceof SignatureRefusal) return { code: refusal.problem, message: refusal.message };
  if (refusal instanceof Refusal) return { code: "OTHER_ERROR", message: refusal.message };
  throw refusal;
}

/** The whole transaction, also one without signatures: clients complete theirs from it. */
function echo({ transaction, visible }: Packed): Json {
  return { result: { result: true }, txid: transaction.id, transaction: printTransaction(transaction, visible) };
}
