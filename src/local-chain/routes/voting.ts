import { hexToBytes, isHexPairs } from "../../core/primitives/bytes.ts";
import { type JsonObject, jsonInteger } from "../../core/primitives/json.ts";
import type { Proposal } from "../chain/chain-rules.ts";
import { validAddress } from "../chain/transaction.ts";
import { rewardOf } from "../chain/voting.ts";
import type { Witness } from "../chain/witness.ts";
import { parseBody } from "../http/fastjson.ts";
import { JavaError, nullPointerException } from "../http/java-error.ts";
import { base58Payload, type Value } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import { longValue, printAddress, textValue, unlessZero } from "./print.ts";
import {
  bodyText,
  isVisible,
  presentBody,
  queryNumber,
  queryVisible,
  type Route,
  readBody,
  type ServletRequest,
  type View,
} from "./route.ts";

const USUAL_BROKERAGE = 20;
const LONGEST_PAGE = 1000;

/** What the node tells of witnesses, of what votes earn and of proposals. */
export const votingRoutes: readonly Route[] = [
  lookup("listwitnesses", true, { post: listWitnesses, get: listWitnesses }),
  // The node's spelling has these capital letters.
  ofAddress("getReward", reward),
  ofAddress("getBrokerage", brokerage),
  lookup("listproposals", false, { post: listProposals, get: listProposals }),
  lookup("getpaginatedproposallist", false, {
    post: (request, view) => {
      const { values, visible } = readBody(request, { offset: "int64", limit: "int64" });
      return proposalPage(view, { offset: numberOf(values.offset), limit: numberOf(values.limit) }, visible);
    },
    get: (request, view) => {
      const page = { offset: queryNumber(request, "offset"), limit: queryNumber(request, "limit") };
      return proposalPage(view, page, queryVisible(request));
    },
  }),
  lookup("getproposalbyid", false, {
    post: (request, view) => {
      const json = presentBody(bodyText(request));
      if (json === undefined) throw withoutBody();
      if (!("id" in json)) throw new JavaError("java.security.InvalidParameterException", "key [id] does not exist");
      return proposalById(view, longValue(json, "id"), isVisible(json.visible));
    },
    get: (request, view) => proposalById(view, BigInt(queryNumber(request, "id")), queryVisible(request)),
  }),
];

function lookup(name: string, solidity: boolean, handlers: Pick<Route, "post" | "get">): Route {
  return { name, servlet: `${name[0]?.toUpperCase()}${name.slice(1)}Servlet`, solidity, ...handlers };
}

function withoutBody(): JavaError {
  const method = "com.alibaba.fastjson.JSONObject.getBigDecimal(String)";
  return nullPointerException(`Cannot invoke "${method}" because "<local1>" is null`);
}

function numberOf(value: Value | undefined): number {
  return Number(value ?? 0);
}

/** A look-up by an address of either form. @param reply - gets its bytes, or none when none was given */
function ofAddress(name: string, reply: (view: View, address: Uint8Array | undefined) => Reply): Route {
  const answer = (view: View, address: string | undefined): Reply => {
    const text = address?.trim() === "" ? undefined : address;
    const complaint = text?.startsWith("41") ? hexComplaint(text) : base58Complaint(text ?? "");
    if (complaint !== undefined) return spaced({ Error: `INVALID address, ${complaint}` });
    return reply(view, text === undefined ? undefined : bytesIn(text));
  };
  return lookup(name, true, {
    post: (request, view) => answer(view, textValue(parseBody(bodyText(request)) ?? {}, "address")),
    get: (request, view) => answer(view, request.query.get("address") ?? undefined),
  });
}

/** None for a base58 text that is no address. */
function bytesIn(text: string): Uint8Array | undefined {
  if (text.startsWith("41")) return hexToBytes(text.trimEnd());
  const payload = base58Payload(text);
  return payload.kind === "payload" ? hexToBytes(payload.hex) : undefined;
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

function listWitnesses(request: ServletRequest, { state }: View): Reply {
  const visible = queryVisible(request);
  return spaced({ witnesses: [...state.witnesses()].map((it) => witnessJson(it, visible)) });
}

function witnessJson(witness: Witness, visible: boolean): JsonObject {
  return {
    address: printAddress(witness.address, visible),
    voteCount: unlessZero(witness.votes),
    url: witness.url === "" ? undefined : witness.url,
    totalProduced: unlessZero(witness.produced),
    totalMissed: unlessZero(witness.missed),
    latestBlockNum: unlessZero(witness.latestBlock),
    latestSlotNum: unlessZero(witness.latestSlot),
    isJobs: witness.active ? true : undefined,
  };
}

function reward({ state }: View, bytes: Uint8Array | undefined): Reply {
  const address = validAddress(bytes);
  const account = address && state.account(address);
  return spaced({ reward: account === undefined ? 0 : jsonInteger(rewardOf(state, account)) });
}

/** Who is no witness would have the usual one. */
function brokerage({ state }: View, bytes: Uint8Array | undefined): Reply {
  if (bytes === undefined) return spaced({ brokerage: 0 });
  const address = validAddress(bytes);
  const witness = address && state.witness(address);
  return spaced({ brokerage: witness?.brokerageNow ?? USUAL_BROKERAGE });
}

/** The newest first. */
function listProposals(request: ServletRequest, { state }: View): Reply {
  return printProposals([...state.tables.proposals.entries().values()].reverse(), queryVisible(request));
}

function proposalById({ state }: View, id: bigint, visible: boolean): Reply {
  const proposal = state.tables.proposals.get(Number(id));
  return proposal === undefined ? compact({}) : spaced(proposalJson(proposal, visible));
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** The oldest first. */
function proposalPage({ state }: View, { offset, limit }: Page, visible: boolean): Reply {
  if (offset < 0 || limit < 0 || state.totals.newestProposal <= offset) return compact({});
  const all = [...state.tables.proposals.entries().values()];
  return printProposals(all.slice(offset, offset + Math.min(limit, LONGEST_PAGE)), visible);
}

function printProposals(proposals: readonly Proposal[], visible: boolean): Reply {
  if (proposals.length === 0) return spaced({});
  return spaced({ proposals: proposals.map((it) => proposalJson(it, visible)) });
}

/** A map prints its zeros. */
function proposalJson(proposal: Proposal, visible: boolean): JsonObject {
  const { approvals, state } = proposal;
  return {
    proposal_id: proposal.id,
    proposer_address: printAddress(proposal.proposer, visible),
    parameters: [...proposal.parameters].map(([key, value]) => ({ key: jsonInteger(key), value: jsonInteger(value) })),
    expiration_time: proposal.expiresAt,
    create_time: proposal.createdAt,
    ...(approvals.length > 0 && { approvals: approvals.map((it) => printAddress(it, visible)) }),
    state: state === "PENDING" ? undefined : state,
  };
}
