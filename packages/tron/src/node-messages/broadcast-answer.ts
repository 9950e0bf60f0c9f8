import { parseTxId } from "../primitives/bytes.ts";
import type { JsonObject } from "../primitives/json.ts";
import { failureInJson, type HttpFailure } from "./http-failure.ts";
import {
  classifyBroadcastCode,
  decodeNodeMessage,
  hasFaultClass,
  isBrokenNode,
  parseNodeFault,
} from "./node-message.ts";
import { BROADCAST_CODES } from "./result-codes.ts";

/** A refusal with its code, or the class of its fault, and its decoded message. */
interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Meaning of the body of a broadcast answer (protocol reference §7.4), before the txID is compared. */
export type BroadcastMeaning =
  | { readonly kind: "accepted" }
  | ({ readonly kind: "already-known" } & Refusal)
  /** The node did not keep these bytes. */
  | ({ readonly kind: "rejected" } & Refusal)
  /** A code, or a fault of the node, that does not tell whether it kept them. */
  | ({ readonly kind: "unknown" } & Refusal)
  /** Neither `result: true` nor a code of failure: no success (gateway document, Broadcast response). */
  | { readonly kind: "no-success"; readonly message: string }
  /** `result: true` beside a code of failure. */
  | ({ readonly kind: "contradiction" } & Refusal)
  /** The gateway refused the request; the node is not known to have seen it. */
  | ({ readonly kind: "turned-away" } & Refusal)
  | { readonly kind: "http"; readonly failure: HttpFailure };

/** Returns what the body of an answer to a broadcast means. Explanations and the gateway client both read it here. */
export function readBroadcastAnswer(json: JsonObject): BroadcastMeaning {
  const failure = failureInJson(json);
  if (failure !== undefined) return { kind: "http", failure };
  if (typeof json.Error === "string") return meaningOfFault(json.Error);
  const code = broadcastCodeOf(json);
  const message = decodeNodeMessage(typeof json.message === "string" ? json.message : "");
  const isFailure = code !== undefined && code !== "SUCCESS";
  if (json.result === true) return isFailure ? { kind: "contradiction", code, message } : { kind: "accepted" };
  if (!isFailure) return { kind: "no-success", message };
  const verdict = classifyBroadcastCode(code, message);
  return { kind: verdict === "not-pooled" ? "rejected" : verdict, code, message };
}

/** An `Error` body with a class is the node's: it refused the request unread, unless its own machine failed. */
function meaningOfFault(text: string): BroadcastMeaning {
  const { code, message } = parseNodeFault(text);
  if (isBrokenNode(code)) return { kind: "unknown", code, message };
  return { kind: hasFaultClass(text) ? "rejected" : "turned-away", code, message };
}

/**
 * Returns the name of an answer's code. A number is one of the protocol only beside a txID: other programs count their
 * own codes.
 */
export function broadcastCodeOf({ code, txid, txID }: JsonObject): string | undefined {
  if (typeof code === "string") return code === "" ? undefined : code;
  if (typeof code !== "number") return undefined;
  const id = txid ?? txID;
  if (typeof id !== "string" || parseTxId(id) === undefined) return `${code}`;
  return Object.entries(BROADCAST_CODES).find(([, number]) => number === code)?.[0] ?? `${code}`;
}
