import type { AnyChainError } from "@finality/tron/errors";
import type { JsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isBoundTo, type NetworkProfile, type OriginBound, originsOf } from "../network.ts";
import { type CheckMessage, originMessages } from "./connection-messages.ts";

/** Checks of a connection test. */
export type CheckName =
  | "address"
  | "origin"
  | "proxy"
  | "name"
  | "connection"
  | "tls"
  | "gateway"
  | "rate-limit"
  | "api-key"
  | "jwt-key"
  | "key-id"
  | "audience"
  | "public-key"
  | "token"
  | "clock"
  | "solidity-url"
  | "chain"
  | "same-chain"
  | "fork"
  | "head"
  | "solidified"
  | "path"
  | "optional-path"
  | "other-url";

/** Result of one check, with its reason and the fix. */
export interface CheckResult extends CheckMessage {
  readonly check: CheckName;
  /** `skipped`: it could not be checked, or it is optional and missing. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** Checked path or URL, for checks of several. */
  readonly of?: string;
  /** Response time of the gateway; ms. */
  readonly ms?: number;
}

/** Returns the unique id of a check. */
export function checkId({ check, of }: Pick<CheckResult, "check" | "of">): string {
  return of === undefined ? check : `${check} ${of}`;
}

const RANK = { failed: 0, warning: 1, ok: 2, skipped: 3 } as const;

/** Returns the results with the likeliest cause first: failures in the order of the checks, then warnings. */
export function failuresFirst(results: readonly CheckResult[]): readonly CheckResult[] {
  return results.toSorted((left, right) => RANK[left.status] - RANK[right.status]);
}

/** Returns the result of a test that sent nothing, because the keys were entered for another URL. */
export function withheldKeysResult(message: string): CheckResult {
  return { check: "origin", status: "failed", ...originMessages.withheld(message) };
}

/** Returns the result of a test that sent nothing, because the URL is not allowed or needs a client certificate. */
export function refusedAddressResult({ code, message }: AnyChainError): CheckResult {
  const check = code === "CLIENT_CERTIFICATE_UNUSABLE" ? "tls" : "address";
  return { check, status: "failed", ...originMessages.addressRefused(message) };
}

/** Reports fallback URLs that are requested without the network's keys. */
export function keyOriginsResult(
  network: NetworkProfile,
  {
    apiKey,
    jwtKey,
  }: { readonly apiKey: OriginBound<string> | undefined; readonly jwtKey: OriginBound<string> | undefined },
): CheckResult {
  const used = [...(apiKey === undefined ? [] : [apiKey]), ...(jwtKey === undefined || !network.jwt ? [] : [jwtKey])];
  const [, ...others] = originsOf(network);
  const without = others.filter((origin) => used.some((it) => !isBoundTo(it, origin)));
  if (without.length > 0)
    return { check: "origin", status: "warning", ...originMessages.elsewhere(without.join(", ")) };
  return { check: "origin", status: "ok", ...(used.length === 0 ? originMessages.noKeys : originMessages.here) };
}

/** Path of a connection test, with a request body that changes nothing and names no user. */
export interface TestedPath {
  readonly path: string;
  readonly body: JsonObject;
  /** Effect of a missing path; undefined for a path that every gateway must serve. */
  readonly effectOfAbsence?: string;
}

const ZERO_ADDRESS = `41${"0".repeat(40)}`;
const NO_TRANSACTION = { value: "0".repeat(64), visible: false };
const BY_ADDRESS = { address: ZERO_ADDRESS, visible: false };
const BY_VALUE = { value: ZERO_ADDRESS, visible: false };
const CALL = { owner_address: ZERO_ADDRESS, contract_address: ZERO_ADDRESS, data: "", visible: false };
/** Sender and recipient are the same account, so no node builds a transaction. */
const NO_TRANSFER = { owner_address: ZERO_ADDRESS, to_address: ZERO_ADDRESS, amount: 1, visible: false };

/** Cheap, documented, and without personal data: the first request of every test. */
export const FIRST_REQUEST: TestedPath = { path: "/wallet/getchainparameters", body: {} };
export const ESTIMATE = "/wallet/estimateenergy";
export const HEAD_BLOCK = "/wallet/getnowblock";
export const HEAD_BY_HEIGHT = "/wallet/getblockbynum";
export const SOLID_BLOCK = "/walletsolidity/getnowblock";
export const SOLID_BY_HEIGHT = "/walletsolidity/getblockbynum";
const NODE_INFO = "/wallet/getnodeinfo";
export const GENESIS: JsonObject = { num: 0 };

/** The ten paths of the gateway document (Endpoints). An empty broadcast contains no transaction. */
export const documentedPaths: readonly TestedPath[] = [
  FIRST_REQUEST,
  { path: "/wallet/createtransaction", body: NO_TRANSFER },
  { path: "/wallet/broadcasttransaction", body: {} },
  { path: "/wallet/gettransactioninfobyid", body: NO_TRANSACTION },
  { path: "/wallet/getaccountresource", body: BY_ADDRESS },
  { path: "/wallet/triggerconstantcontract", body: CALL },
  { path: ESTIMATE, body: CALL, effectOfAbsence: t`a constant call estimates energy instead, which is less exact` },
  { path: "/walletsolidity/gettransactionbyid", body: NO_TRANSACTION },
  { path: "/walletsolidity/gettransactioninfobyid", body: NO_TRANSACTION },
  { path: SOLID_BY_HEIGHT, body: GENESIS },
];

/** Further paths that nodes have and gateways may have. */
export const optionalPaths: readonly TestedPath[] = [
  {
    path: HEAD_BLOCK,
    body: {},
    effectOfAbsence: t`the newest block comes from a constant call, in whole seconds`,
  },
  { path: SOLID_BLOCK, body: {}, effectOfAbsence: t`the newest solidified block is found by height` },
  { path: HEAD_BY_HEIGHT, body: GENESIS, effectOfAbsence: t`blocks cannot be read before they are solidified` },
  {
    path: "/walletsolidity/getblockbylimitnext",
    body: { startNum: 1, endNum: 2 },
    effectOfAbsence: t`blocks are read one by one`,
  },
  {
    path: "/walletsolidity/gettransactioninfobyblocknum",
    body: { num: 1 },
    effectOfAbsence: t`the outcomes of calls are read one by one`,
  },
  {
    path: "/wallet/gettransactionbyid",
    body: NO_TRANSACTION,
    effectOfAbsence: t`pending transactions are not visible`,
  },
  {
    path: "/wallet/getaccount",
    body: BY_ADDRESS,
    effectOfAbsence: t`stakes, votes and permissions are unknown, and the balance too unless the node runs constant calls`,
  },
  {
    path: "/walletsolidity/getaccount",
    body: BY_ADDRESS,
    effectOfAbsence: t`it is unknown whether an account is final`,
  },
  {
    path: "/wallet/getcontractinfo",
    body: BY_VALUE,
    effectOfAbsence: t`the payer of a contract's energy is unknown`,
  },
  { path: "/wallet/getsignweight", body: {}, effectOfAbsence: t`missing signatures are not counted` },
  { path: "/wallet/listwitnesses", body: { visible: false }, effectOfAbsence: t`witnesses are not listed` },
  { path: "/wallet/getReward", body: BY_ADDRESS, effectOfAbsence: t`rewards of votes are not shown` },
  {
    path: "/wallet/getdelegatedresourceaccountindexv2",
    body: BY_VALUE,
    effectOfAbsence: t`delegations are not shown`,
  },
  {
    path: "/wallet/getassetissuebyid",
    body: { value: "1000001", visible: false },
    effectOfAbsence: t`names of TRC-10 tokens are not shown`,
  },
  { path: NODE_INFO, body: {}, effectOfAbsence: t`the node version is unknown` },
];

export type CheckGroup = "way" | "access" | "chain" | "paths" | "optional" | "others";

/** Line of the checklist before its check. */
export interface PlannedCheck {
  readonly check: CheckName;
  readonly of?: string;
  readonly title: string;
  readonly group: CheckGroup;
}

const TITLES: { readonly [C in CheckName]: string } = {
  address: t`Address`,
  origin: t`Key origins`,
  proxy: t`Proxy`,
  name: t`Name`,
  connection: t`Connection`,
  tls: t`Encryption`,
  gateway: t`Answer`,
  "rate-limit": t`Rate limit`,
  "api-key": t`API key`,
  "jwt-key": t`JWT key`,
  "key-id": t`Key ID (kid)`,
  audience: t`Audience`,
  "public-key": t`Public key in the account`,
  token: t`Token`,
  clock: t`Clock`,
  "solidity-url": t`URL of solidified data`,
  chain: t`Same chain as before`,
  "same-chain": t`Same chain at both URLs`,
  fork: t`Same blocks at both URLs`,
  head: t`Newest block`,
  solidified: t`Solidified data`,
  path: t`Endpoint`,
  "optional-path": t`Optional endpoint`,
  "other-url": t`Fallback URL`,
};

const WAY: readonly CheckName[] = ["address", "origin", "proxy", "name", "connection", "tls"];
const JWT_SETTINGS: readonly CheckName[] = ["jwt-key", "key-id", "audience"];
const CHAIN: readonly CheckName[] = ["same-chain", "fork", "chain", "head", "solidified"];

/** Returns the checks of a network in order. Later checks depend on earlier ones. */
export function planConnection(network: NetworkProfile): readonly PlannedCheck[] {
  const { jwt, solidityBaseUrl, fallbackUrls } = network;
  const access: readonly CheckName[] = [
    ...(jwt ? JWT_SETTINGS : []),
    "gateway",
    "rate-limit",
    "api-key",
    "token",
    ...(jwt ? (["public-key"] as const) : []),
    "clock",
  ];
  const chain: readonly CheckName[] = [...(solidityBaseUrl === undefined ? [] : (["solidity-url"] as const)), ...CHAIN];
  const line = (group: CheckGroup) => (check: CheckName) => ({ check, title: TITLES[check], group });
  const of = (group: CheckGroup, check: CheckName) => (it: string) => ({ check, of: it, title: it, group });
  return [
    ...WAY.map(line("way")),
    ...access.map(line("access")),
    ...chain.map(line("chain")),
    ...documentedPaths.map(({ path }) => path).map(of("paths", "path")),
    ...optionalPaths.map(({ path }) => path).map(of("optional", "optional-path")),
    ...fallbackUrls.map(of("others", "other-url")),
  ];
}
