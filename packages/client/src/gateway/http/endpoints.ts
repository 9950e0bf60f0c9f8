import {
  type Address,
  defined,
  type Hex,
  type Json,
  type JsonObject,
  jsonInteger,
  type TxId,
} from "@finality/tron/primitives";
import type { IntentOf, PermissionIntent } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { DelegationParties, TransferRequest, View } from "../gateway.ts";
import {
  parseAccount,
  parseAccountResources,
  parseBrokerage,
  parseChainParameters,
  parseDelegationIndex,
  parseDelegations,
  parseDeployedContract,
  parseNodeInfo,
  parseRequiredEnergy,
  parseReward,
  parseSignWeight,
  parseSimulatedRun,
  parseStorageWord,
  parseTrc10Token,
  parseWitnesses,
  runBody,
} from "../wire/accounts.ts";
import type { AnswerParser, Pieces } from "../wire/answer.ts";
import { blocksInPieces, parseBlock, parseBlocks, parseGenesis, parseOptionalBlock } from "../wire/block.ts";
import { broadcastBody } from "../wire/broadcast.ts";
import {
  parseBuiltTransaction,
  parseFoundTransaction,
  parseInfoAnswer,
  parseTransactionAnswer,
  parseTransactionInfo,
  parseTransactionInfos,
} from "../wire/transaction.ts";

/** A read may be repeated and moved to another gateway; a write is sent once. All of them are POST requests. */
type Access = "read" | "write";

export interface Endpoint<Question, Answer> {
  readonly path: string;
  readonly view: View;
  readonly access: Access;
  readonly body: (question: Question) => JsonObject;
  readonly parse: AnswerParser<Answer>;
  /** Its `result.code` is data, not a refusal. */
  readonly coded?: true;
  /**
   * Purpose of a path that the gateway document does not list. A gateway may omit it; the refusal is then
   * `PATH_NOT_SERVED` with this text.
   */
  readonly beyond?: string;
  /** The same in parts, for answers that take long to parse. */
  readonly pieces?: (json: Json) => Pieces<Answer>;
}

const nothing = (): JsonObject => ({});
const genesis = (): JsonObject => ({ num: 0 });
const byTxId = (value: TxId): JsonObject => ({ value, visible: false });
const byAddress = (address: Address): JsonObject => ({ address, visible: false });
const byValue = (value: Address): JsonObject => ({ value, visible: false });
const byParties = ({ from, to }: DelegationParties): JsonObject => ({
  fromAddress: from,
  toAddress: to,
  visible: false,
});
const byHeight = (num: number): JsonObject => ({ num });
const byHeights = ({ start, end }: HeightRange): JsonObject => ({ startNum: start, endNum: end });

/** Heights from `start` to before `end`. */
export interface HeightRange {
  readonly start: number;
  readonly end: number;
}

/** Endpoint of broadcasts. `readBroadcast` reads the outcome. */
export const BROADCAST = { path: "/wallet/broadcasttransaction", view: "head", access: "write" } as const;

const HEAD = t`the newest block`;
const BLOCKS = t`blocks that are not solidified yet`;
const CONTRACTS = t`contracts on the chain and their ABIs`;
const DELEGATIONS = t`delegations of stakes`;

/** Storage slot of a contract. */
export interface StorageSlot {
  readonly address: Address;
  /** 32 bytes. */
  readonly slot: Hex;
}

/**
 * Endpoint of a gateway. Building a transaction stores nothing, so it is a read. An endpoint that the gateway document
 * does not list names its purpose in `beyond`.
 */
export const endpoints = {
  buildTransfer: head("createtransaction", transferBody, parseBuiltTransaction),
  buildPermissionUpdate: beyond(
    t`the node's check of new permissions`,
    head("accountpermissionupdate", permissionUpdateBody, parseBuiltTransaction),
  ),
  signWeight: beyond(t`the node's own count of signatures`, {
    ...head("getsignweight", broadcastBody, parseSignWeight),
    coded: true as const,
  }),
  headGenesis: beyond(BLOCKS, head("getblockbynum", genesis, parseGenesis)),
  solidGenesis: solid("getblockbynum", genesis, parseGenesis),
  headBlock: beyond(HEAD, head("getnowblock", nothing, parseBlock)),
  solidBlock: beyond(t`the newest solidified block`, solid("getnowblock", nothing, parseBlock)),
  solidBlockByHeight: solid("getblockbynum", byHeight, parseOptionalBlock),
  solidBlocks: beyond(t`many blocks in one request`, {
    ...solid("getblockbylimitnext", byHeights, parseBlocks),
    pieces: blocksInPieces,
  }),
  headBlockByHeight: beyond(BLOCKS, head("getblockbynum", byHeight, parseOptionalBlock)),
  headBlocks: beyond(t`many blocks in one request`, {
    ...head("getblockbylimitnext", byHeights, parseBlocks),
    pieces: blocksInPieces,
  }),
  headTransaction: beyond(t`pending transactions`, head("gettransactionbyid", byTxId, parseFoundTransaction)),
  headTransactionInfo: head("gettransactioninfobyid", byTxId, parseTransactionInfo),
  solidTransaction: solid("gettransactionbyid", byTxId, parseFoundTransaction),
  solidTransactionInfo: solid("gettransactioninfobyid", byTxId, parseTransactionInfo),
  solidTransactionInfos: beyond(
    t`all receipts of a block`,
    solid("gettransactioninfobyblocknum", byHeight, parseTransactionInfos),
  ),
  headTransactionAnswer: beyond(t`pending transactions`, head("gettransactionbyid", byTxId, parseTransactionAnswer)),
  headInfoAnswer: head("gettransactioninfobyid", byTxId, parseInfoAnswer),
  solidTransactionAnswer: solid("gettransactionbyid", byTxId, parseTransactionAnswer),
  solidInfoAnswer: solid("gettransactioninfobyid", byTxId, parseInfoAnswer),
  account: beyond(t`permissions, stakes, votes and tokens of an account`, head("getaccount", byAddress, parseAccount)),
  solidAccount: beyond(t`solidified accounts`, solid("getaccount", byAddress, parseAccount)),
  accountResources: head("getaccountresource", byAddress, parseAccountResources),
  reward: beyond(t`rewards of votes`, head("getReward", byAddress, parseReward)),
  delegationIndex: beyond(DELEGATIONS, head("getdelegatedresourceaccountindexv2", byValue, parseDelegationIndex)),
  delegationsBetween: beyond(DELEGATIONS, head("getdelegatedresourcev2", byParties, parseDelegations)),
  witnesses: beyond(
    t`the list of witnesses`,
    head("listwitnesses", () => ({ visible: false }), parseWitnesses),
  ),
  // The node spells it with these capital letters.
  brokerage: beyond(t`the brokerage of witnesses`, head("getBrokerage", byAddress, parseBrokerage)),
  trc10Token: beyond(
    "TRC-10 tokens",
    head("getassetissuebyid", (value: string) => ({ value, visible: false }), parseTrc10Token),
  ),
  chainParameters: head("getchainparameters", nothing, parseChainParameters),
  nodeInfo: beyond(t`the version of the node`, head("getnodeinfo", nothing, parseNodeInfo)),
  constantCall: head("triggerconstantcontract", runBody, parseSimulatedRun),
  estimateEnergy: head("estimateenergy", runBody, parseRequiredEnergy),
  deployedContract: beyond(CONTRACTS, head("getcontractinfo", byValue, parseDeployedContract)),
  deployedContractOfOldNode: beyond(CONTRACTS, head("getcontract", byValue, parseDeployedContract)),
  storage: beyond(t`storage of contracts`, {
    ...head("", storageBody, parseStorageWord),
    path: "/jsonrpc",
  }),
} as const;

/** Paths from which the state of a network is read for a replay. */
const STATE_PATHS = [
  "wallet/getnowblock",
  "wallet/getblockbynum",
  "wallet/getchainparameters",
  "wallet/getnextmaintenancetime",
  "wallet/getaccountresource",
  "wallet/getaccount",
  "wallet/getcontractinfo",
  "wallet/getassetissuebyid",
  "wallet/gettransactionbyid",
  "wallet/gettransactioninfobyid",
];
const STATE_METHODS = ["eth_chainId", "eth_getStorageAt"];

/** Returns the endpoint of a request for state; undefined for any other request. Its answer is not parsed. */
export function stateEndpoint(path: string, body: JsonObject): Endpoint<undefined, Json> | undefined {
  const isState = path === "jsonrpc" ? STATE_METHODS.some((it) => it === body.method) : STATE_PATHS.includes(path);
  if (!isState) return undefined;
  const endpoint = head(
    "",
    () => body,
    (json) => json,
  );
  return beyond(t`the state of the network`, { ...endpoint, path: `/${path}` });
}

/** @param what - Completes "which is needed for …". */
function beyond<E extends object>(what: string, endpoint: E): E & { readonly beyond: string } {
  return { ...endpoint, beyond: what };
}

function head<Q, A>(name: string, body: (question: Q) => JsonObject, parse: AnswerParser<A>): Endpoint<Q, A> {
  return { path: `/wallet/${name}`, view: "head", access: "read", body, parse };
}

function solid<Q, A>(name: string, body: (question: Q) => JsonObject, parse: AnswerParser<A>): Endpoint<Q, A> {
  return { path: `/walletsolidity/${name}`, view: "solid", access: "read", body, parse };
}

function transferBody({ owner, to, amount, memo, permissionId }: TransferRequest): JsonObject {
  return {
    owner_address: owner,
    to_address: to,
    amount: jsonInteger(amount),
    visible: false,
    ...(memo === undefined || memo === "" ? {} : { extra_data: memo }),
    ...(permissionId === undefined || permissionId === 0 ? {} : { Permission_id: permissionId }),
  };
}

/** Addresses of JSON-RPC have no prefix 41. */
function storageBody({ address, slot }: StorageSlot): JsonObject {
  const params = [`0x${address.slice(2)}`, `0x${slot}`, "latest"];
  return { jsonrpc: "2.0", id: 1, method: "eth_getStorageAt", params };
}

function permissionUpdateBody({ owner, ...set }: IntentOf<"permission-update">): JsonObject {
  const { ownerPermission, witnessPermission: witness, activePermissions } = set;
  return {
    owner_address: owner,
    owner: permissionBody(0, ownerPermission),
    ...(witness === undefined ? {} : { witness: permissionBody(1, witness) }),
    actives: activePermissions.map((it) => permissionBody(2, it)),
    visible: false,
  };
}

function permissionBody(type: number, { name, threshold, keys, operations }: PermissionIntent): JsonObject {
  return {
    type,
    permission_name: name,
    threshold: jsonInteger(threshold),
    keys: keys.map(({ address, weight }) => ({ address, weight: jsonInteger(weight) })),
    ...defined({ operations }),
  };
}
