import type { JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** A path that a connection test asks, with a question that changes nothing and is not about anybody. */
export interface AskedPath {
  readonly path: string;
  readonly body: JsonObject;
  /** What is not there without it; undefined for a path that every gateway promises and nothing replaces. */
  readonly loss?: string;
}

const NOBODY = `41${"0".repeat(40)}`;
const NO_TRANSACTION = { value: "0".repeat(64), visible: false };
const OF_NOBODY = { address: NOBODY, visible: false };
const BY_VALUE = { value: NOBODY, visible: false };
const CALL = { owner_address: NOBODY, contract_address: NOBODY, data: "", visible: false };
/** Both name the same account, so no node ever makes a transaction of it. */
const NO_TRANSFER = { owner_address: NOBODY, to_address: NOBODY, amount: 1, visible: false };

/** Cheap, in the document, and free of anything personal: the first question of every test. */
export const FIRST: AskedPath = { path: "/wallet/getchainparameters", body: {} };
export const ESTIMATE = "/wallet/estimateenergy";
export const HEAD_BLOCK = "/wallet/getnowblock";
export const HEAD_BY_HEIGHT = "/wallet/getblockbynum";
export const SOLID_BLOCK = "/walletsolidity/getnowblock";
export const SOLID_BY_HEIGHT = "/walletsolidity/getblockbynum";
export const NODE_INFO = "/wallet/getnodeinfo";
export const GENESIS: JsonObject = { num: 0 };

/** The ten paths of the gateway document (Endpoints). A broadcast of nothing holds no transaction. */
export const documentedPaths: readonly AskedPath[] = [
  FIRST,
  { path: "/wallet/createtransaction", body: NO_TRANSFER },
  { path: "/wallet/broadcasttransaction", body: {} },
  { path: "/wallet/gettransactioninfobyid", body: NO_TRANSACTION },
  { path: "/wallet/getaccountresource", body: OF_NOBODY },
  { path: "/wallet/triggerconstantcontract", body: CALL },
  { path: ESTIMATE, body: CALL, loss: t`energy is taken from a trial run instead, which is less exact` },
  { path: "/walletsolidity/gettransactionbyid", body: NO_TRANSACTION },
  { path: "/walletsolidity/gettransactioninfobyid", body: NO_TRANSACTION },
  { path: SOLID_BY_HEIGHT, body: GENESIS },
];

/** Further paths that nodes have and gateways may have. */
export const optionalPaths: readonly AskedPath[] = [
  { path: HEAD_BLOCK, body: {}, loss: t`the newest block is told by code that the node runs, in whole seconds` },
  { path: SOLID_BLOCK, body: {}, loss: t`the newest solidified block is searched by its height` },
  { path: HEAD_BY_HEIGHT, body: GENESIS, loss: t`blocks cannot be read before they are solidified` },
  {
    path: "/walletsolidity/getblockbylimitnext",
    body: { startNum: 1, endNum: 2 },
    loss: t`blocks are read one by one`,
  },
  {
    path: "/walletsolidity/gettransactioninfobyblocknum",
    body: { num: 1 },
    loss: t`how the calls of a block ended is asked one by one`,
  },
  { path: "/wallet/gettransactionbyid", body: NO_TRANSACTION, loss: t`what waits for a block is not seen` },
  {
    path: "/wallet/getaccount",
    body: OF_NOBODY,
    loss: t`stakes, votes and permissions are not known here, and the balance only where the node runs code`,
  },
  { path: "/walletsolidity/getaccount", body: OF_NOBODY, loss: t`whether an account is there for good is not known` },
  { path: "/wallet/getcontractinfo", body: BY_VALUE, loss: t`who pays the energy of a contract is not known` },
  { path: "/wallet/getsignweight", body: {}, loss: t`how many signatures are missing is not told` },
  { path: "/wallet/listwitnesses", body: { visible: false }, loss: t`witnesses are not listed` },
  { path: "/wallet/getReward", body: OF_NOBODY, loss: t`rewards of votes are not shown` },
  { path: "/wallet/getdelegatedresourceaccountindexv2", body: BY_VALUE, loss: t`what was lent is not shown` },
  {
    path: "/wallet/getassetissuebyid",
    body: { value: "1000001", visible: false },
    loss: t`TRC-10 tokens have no names`,
  },
  { path: NODE_INFO, body: {}, loss: t`the version of the node is not known` },
];
