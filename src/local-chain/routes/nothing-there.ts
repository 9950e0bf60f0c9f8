import { isHexPairs } from "../../core/primitives/bytes.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import { parseBody } from "../http/fastjson.ts";
import { JavaError, nullPointerException } from "../http/java-error.ts";
import { base58Payload } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import { longValue, textValue } from "./print.ts";
import { bodyText, presentBody, queryNumber, type Route } from "./route.ts";

const BROKERAGE_PERCENT = 20;
const NOTHING = compact({});

/** Look-ups of what this chain has none of: proposals and votes. What they ask is read. */
export const nothingThereRoutes: readonly Route[] = [
  always("listproposals", false, () => NOTHING),
  byNumber("getproposalbyid", false, () => NOTHING),
  // The node's spelling has these capital letters.
  ofAddress("getReward", () => spaced({ reward: 0 })),
  ofAddress("getBrokerage", (named) => spaced({ brokerage: named ? BROKERAGE_PERCENT : 0 })),
];

function byNumber(name: string, solidity: boolean, reply: () => Reply): Route {
  return {
    ...always(name, solidity, reply),
    post: (request) => {
      const json = bodyFor(presentBody(bodyText(request)), "getBigDecimal(String)");
      if (!("id" in json)) throw new JavaError("java.security.InvalidParameterException", "key [id] does not exist");
      longValue(json, "id");
      return reply();
    },
    get: (request) => {
      queryNumber(request, "id");
      return reply();
    },
  };
}

/** @throws {JavaError} there is no body */
function bodyFor(json: JsonObject | undefined, method: string): JsonObject {
  if (json === undefined) throw invokedOnNull(`com.alibaba.fastjson.JSONObject.${method}`, "<local1>");
  return json;
}

function invokedOnNull(method: string, variable: string): JavaError {
  return nullPointerException(`Cannot invoke "${method}" because "${variable}" is null`);
}

/** What is the same for every address. @param reply - gets whether one was given */
function ofAddress(name: string, reply: (named: boolean) => Reply): Route {
  const answer = (address: string | undefined): Reply => {
    const text = address?.trim() === "" ? undefined : address;
    const complaint = text?.startsWith("41") ? hexComplaint(text) : base58Complaint(text ?? "");
    if (complaint !== undefined) return spaced({ Error: `INVALID address, ${complaint}` });
    return reply(text !== undefined && (text.startsWith("41") || base58Payload(text).kind === "payload"));
  };
  return {
    ...always(name, true, () => reply(false)),
    post: (request) => answer(textValue(parseBody(bodyText(request)) ?? {}, "address")),
    get: (request) => answer(request.query.get("address") ?? undefined),
  };
}

/** Blanks at the end are no part of it. */
function hexComplaint(text: string): string | undefined {
  const { length } = text.trimEnd();
  if (length % 2 === 1) return `exception decoding Hex string: String index out of range: ${length}`;
  return isHexPairs(text.trimEnd())
    ? undefined
    : "exception decoding Hex string: invalid characters encountered in Hex string";
}

function base58Complaint(text: string): string | undefined {
  const payload = base58Payload(text);
  return payload.kind === "illegal" ? `Illegal character ${payload.character} at ${payload.index}` : undefined;
}

function always(name: string, solidity: boolean, reply: () => Reply): Route {
  const servlet = `${name[0]?.toUpperCase()}${name.slice(1)}Servlet`;
  return { name, servlet, solidity, post: reply, get: reply };
}
