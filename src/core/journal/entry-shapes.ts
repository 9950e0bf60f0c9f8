import type { JournalEntry, RecordedOutcome } from "../life/journal-entry.ts";
import type { ExecutionOutcome } from "../life/tracking-state.ts";
import {
  address,
  byKind,
  hash,
  hex,
  integer,
  listOf,
  mark,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
} from "../primitives/shape.ts";
import type { Intent } from "../transaction/intent.ts";

const common: Shape = { owner: address, memo: optional(hex), permissionId: optional(number) };
const resource = oneOf("BANDWIDTH", "ENERGY");
const permission = object({
  name: text,
  threshold: integer,
  keys: listOf(object({ address, weight: integer })),
  operations: optional(hex),
});

/** What each kind of intent holds, beside what all of them may hold. */
export const intentShapes = {
  transfer: { ...common, to: address, amount: integer },
  "token-transfer": { ...common, to: address, tokenId: text, amount: integer },
  "contract-call": {
    ...common,
    contract: address,
    data: hex,
    callValue: integer,
    feeLimit: integer,
    tokenId: optional(integer),
    tokenValue: optional(integer),
  },
  "contract-creation": {
    ...common,
    name: text,
    bytecode: hex,
    abi: hex,
    callValue: integer,
    feeLimit: integer,
    userPercent: integer,
    originEnergyLimit: integer,
  },
  stake: { ...common, resource, amount: integer },
  unstake: { ...common, resource, amount: integer },
  withdraw: common,
  delegate: { ...common, resource, amount: integer, receiver: address, lockPeriod: optional(integer) },
  undelegate: { ...common, resource, amount: integer, receiver: address },
  "permission-update": {
    ...common,
    ownerPermission: permission,
    witnessPermission: optional(permission),
    activePermissions: listOf(permission),
  },
  vote: { ...common, votes: listOf(object({ witness: address, count: integer })) },
} satisfies { readonly [K in Intent["kind"]]: Shape };

const recordedOutcome = byKind({
  accepted: {},
  "already-known": { message: text },
  rejected: { code: text, message: text },
  unknown: { code: text, message: text, turnedAway: optional(mark) },
} satisfies { readonly [K in RecordedOutcome["kind"]]: Shape });

const execution = byKind({
  success: {},
  failed: { result: text, message: text },
} satisfies { readonly [K in ExecutionOutcome["kind"]]: Shape });

const line: Shape = { txId: hash, at: number };
const solidBlock = object({ number, timestamp: number, id: hash });
const proofChecks = object({
  witnesses: object({ known: number, built: number, own: number }),
  others: listOf(object({ endpoint: text, answer: oneOf("agrees", "behind", "silent") })),
});

/** What each kind of journal entry holds on its line. */
export const entryShapes = {
  signed: {
    ...line,
    network: text,
    chain: optional(hash),
    intent: byKind(intentShapes),
    rawDataHex: hex,
    signatures: listOf(hex),
    expiration: number,
    solidHeight: number,
    label: optional(text),
    replaces: optional(hash),
  },
  adopted: { ...line, network: text, chain: optional(hash), label: optional(text) },
  "broadcast-started": { ...line, attempt: number, endpoint: text },
  "broadcast-answered": {
    ...line,
    attempt: number,
    endpoint: text,
    outcome: recordedOutcome,
    answeredTxId: optional(text),
    raw: optional(text),
  },
  "head-time": { ...line, time: number },
  "seen-in-pool": line,
  "seen-in-head": {
    ...line,
    block: object({ number, timestamp: number, id: optional(hash) }),
    outcome: optional(execution),
  },
  "lost-from-head": line,
  solidified: { ...line, block: solidBlock, outcome: execution },
  "outcome-told": { ...line, endpoint: text, outcome: execution },
  "not-found": { ...line, time: number },
  "proven-absent": {
    ...line,
    ...{ network: text, endpoint: text, expiration: number, solidHeight: number, parentId: hash },
    ...{ first: solidBlock, last: solidBlock, count: number, digest: hash, blockIds: optional(listOf(hash)) },
    checks: optional(proofChecks),
  },
  replaced: { ...line, by: hash },
  hidden: line,
} satisfies { readonly [K in JournalEntry["kind"]]: Shape };
