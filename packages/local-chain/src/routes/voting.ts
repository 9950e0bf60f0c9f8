import { type Address, type JsonObject, jsonInteger } from "@finality/tron/primitives";
import type { Ledger } from "../chain/ledger.ts";
import type { NodeVersion, Proposal } from "../chain/parameters.ts";
import { validAddress } from "../chain/transaction.ts";
import { rewardOf } from "../chain/voting.ts";
import { ranked, type Vote, type Witness } from "../chain/witness.ts";
import { parseBody } from "../http/fastjson.ts";
import { decodeHex, JavaError, requiredLong, textValue } from "../http/java-values.ts";
import type { Value } from "../http/json-format.ts";
import { compact, type Reply, spaced } from "../http/message.ts";
import type { ServletRequest } from "../http/servlet-container.ts";
import type { NodeView } from "../node/node-view.ts";
import { printAddress, unlessZero } from "./print.ts";
import {
  addressBytes,
  bodyText,
  invokedOnNull,
  isVisible,
  parameter,
  plainText,
  presentBody,
  queryNumber,
  queryVisible,
  type Route,
  readBody,
} from "./route.ts";

const USUAL_BROKERAGE = 20;
const LONGEST_PAGE = 1000;

/** Routes for witnesses, rewards and proposals. */
export const votingRoutes: readonly Route[] = [
  lookup("listwitnesses", true, { post: listWitnesses, get: listWitnesses }),
  lookup("getpaginatednowwitnesslist", true, {
    post: (request, view) => {
      const { values, visible } = readBody(request, { offset: "int64", limit: "int64" });
      return witnessPage(view, { offset: numberOf(values.offset), limit: numberOf(values.limit) }, visible);
    },
    get: (request, view) => {
      const page = { offset: queryNumber(request, "offset"), limit: queryNumber(request, "limit") };
      return witnessPage(view, page, queryVisible(request));
    },
  }),
  // The node spells these paths with capital letters.
  ofAddress("getReward", reward),
  ofAddress("getBrokerage", brokerage),
  lookup("listproposals", false, { post: listProposals, get: listProposals }),
  lookup("getpaginatedproposallist", false, {
    post: (request, view) => {
      const { values, visible } = readBody(request, { offset: "int64", limit: "int64" }, plainText);
      return proposalPage(view, { offset: numberOf(values.offset), limit: numberOf(values.limit) }, visible);
    },
    get: (request, view) => {
      const page = { offset: queryNumber(request, "offset"), limit: queryNumber(request, "limit") };
      return proposalPage(view, page, queryVisible(request));
    },
  }),
  lookup("getproposalbyid", false, {
    post: (request, view) => {
      const json = presentBody(bodyText(request), request.nodeVersion);
      if (json === undefined) throw invokedOnNull("com.alibaba.fastjson.JSONObject.getBigDecimal(String)");
      return proposalById(view, requiredLong(json, "id"), isVisible(json));
    },
    get: (request, view) => proposalById(view, BigInt(queryNumber(request, "id")), queryVisible(request)),
  }),
];

function lookup(name: string, solidity: boolean, handlers: Pick<Route, "post" | "get">): Route {
  return { name, servlet: `${name[0]?.toUpperCase()}${name.slice(1)}Servlet`, solidity, ...handlers };
}

function numberOf(value: Value | undefined): number {
  return Number(value ?? 0);
}

/** Exceptions that these servlets treat as an invalid address. */
const COMPLAINTS = new Set([
  "org.bouncycastle.util.encoders.DecoderException",
  "java.lang.IllegalArgumentException",
  "java.lang.NumberFormatException",
]);

/**
 * Creates a query route by an address of either form.
 *
 * @param reply - receives the address bytes, or undefined without an address
 */
function ofAddress(name: string, reply: (view: NodeView, address: Uint8Array | undefined) => Reply): Route {
  const answer = (request: ServletRequest, view: NodeView): Reply => {
    try {
      return reply(view, bytesIn(addressText(request), request.nodeVersion));
    } catch (error) {
      if (!(error instanceof JavaError) || !COMPLAINTS.has(error.javaClass)) throw error;
      return { style: "text", text: `{"Error": "INVALID address, ${error.message}"}` };
    }
  };
  return lookup(name, true, { post: answer, get: answer });
}

/** Returns the bytes of an address; undefined for invalid base58. @throws {JavaError} */
function bytesIn(text: string | undefined, version: NodeVersion): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const bytes = text.startsWith("41") ? decodeHex(text) : addressBytes(text, true, version);
  return bytes.length === 0 ? undefined : bytes;
}

/** Returns the address of a query, a form or a body; a body only counts with its content type (Util.getAddress). */
function addressText(request: ServletRequest): string | undefined {
  const { method, contentType = "", body, nodeVersion } = request;
  if (method === "GET") return notBlank(parameter(request, "address"));
  if (contentType.trim() === "") return undefined;
  if (contentType.includes("application/x-www-form-urlencoded")) return notBlank(parameter(request, "address"));
  return notBlank(textValue(parseBody(body.replaceAll("\n", ""), nodeVersion) ?? {}, "address"));
}

function notBlank(text: string | undefined): string | undefined {
  return text?.trim() === "" ? undefined : text;
}

function listWitnesses(request: ServletRequest, { state }: NodeView): Reply {
  const visible = queryVisible(request);
  return spaced({ witnesses: [...state.witnesses()].map((it) => witnessJson(it, visible)) });
}

/** Prints witnesses with votes as of now, most first (since java-tron 4.8.1). */
function witnessPage({ state }: NodeView, { offset, limit }: Page, visible: boolean): Reply {
  const all = ranked(withVotesOfNow(state));
  if (limit <= 0 || offset < 0 || offset >= all.length) return compact({});
  const page = all.slice(offset, offset + Math.min(limit, LONGEST_PAGE));
  return spaced({ witnesses: page.map((it) => witnessJson(it, visible)) });
}

function withVotesOfNow(state: Ledger): readonly Witness[] {
  const changes = new Map<Address, bigint>();
  const note = (votes: readonly Vote[], sign: bigint): void => {
    for (const { witness, count } of votes) changes.set(witness, (changes.get(witness) ?? 0n) + sign * count);
  };
  for (const { before, after } of state.tables.ballots.entries().values()) {
    note(before, -1n);
    note(after, 1n);
  }
  return [...state.witnesses()].map((it) => ({ ...it, votes: it.votes + (changes.get(it.address) ?? 0n) }));
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

function reward({ state }: NodeView, bytes: Uint8Array | undefined): Reply {
  const address = validAddress(bytes);
  const account = address && state.account(address);
  return spaced({ reward: account === undefined ? 0 : jsonInteger(rewardOf(state, account)) });
}

/** Prints the brokerage; accounts that are no witness have the default. */
function brokerage({ state }: NodeView, bytes: Uint8Array | undefined): Reply {
  if (bytes === undefined) return spaced({ brokerage: 0 });
  const address = validAddress(bytes);
  const witness = address && state.witness(address);
  return spaced({ brokerage: witness?.brokerageNow ?? USUAL_BROKERAGE });
}

/** Prints proposals, newest first. */
function listProposals(request: ServletRequest, { state }: NodeView): Reply {
  return printProposals([...state.tables.proposals.entries().values()].reverse(), queryVisible(request));
}

function proposalById({ state }: NodeView, id: bigint, visible: boolean): Reply {
  const proposal = state.tables.proposals.get(Number(id));
  return proposal === undefined ? compact({}) : spaced(proposalJson(proposal, visible));
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Prints proposals, oldest first. */
function proposalPage({ state }: NodeView, { offset, limit }: Page, visible: boolean): Reply {
  if (offset < 0 || limit < 0 || state.totals.newestProposal <= offset) return compact({});
  const all = [...state.tables.proposals.entries().values()];
  return printProposals(all.slice(offset, offset + Math.min(limit, LONGEST_PAGE)), visible);
}

function printProposals(proposals: readonly Proposal[], visible: boolean): Reply {
  if (proposals.length === 0) return spaced({});
  return spaced({ proposals: proposals.map((it) => proposalJson(it, visible)) });
}

/** Prints a map entry, which includes zeros. */
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
