export {
  type ChainId,
  type ChainPlace,
  LOCAL_NETWORK_NAME,
  mayBeSameChain,
  parseChainId,
} from "./chain/chain-place.ts";
export { type ChainAtUrl, commonChain } from "./chain/common-chain.ts";
export { isChainOfRealMoney } from "./chain/real-money.ts";
export { createAccessTokens, type TokenLifetime } from "./gateway/access/access-token.ts";
export { type CheckGroup, type PlannedCheck, planConnection } from "./gateway/access/connection-plan.ts";
export type {
  Certificate,
  ConnectionProbe,
  Dialect,
  FailedAttempt,
  Handshake,
  LookUp,
  ProxyPlace,
  Reach,
} from "./gateway/access/connection-probe.ts";
export { type ConnectionTestOptions, testConnection } from "./gateway/access/connection-test.ts";
export { addressFinding, causesFirst, type Finding, idOfCheck, withheldFinding } from "./gateway/access/finding.ts";
export {
  generateJwtKey,
  isEncryptedPem,
  type JwtKey,
  type JwtKeyRecord,
  parseJwtKey,
} from "./gateway/access/jwt-key.ts";
export type { AccountGateway, Loan, Trc10Token, Witness } from "./gateway/account-gateway.ts";
export { coinSymbolOf } from "./gateway/coin-symbol.ts";
export type {
  Account,
  AccountResources,
  AccountStakes,
  Block,
  ChainParameters,
  DeployedContract,
  Gateway,
  Head,
  ResourceTotals,
  TransactionInfo,
  TransferRequest,
  Unstaking,
  Vote,
} from "./gateway/gateway.ts";
export { GatewayMemory } from "./gateway/http/gateway-memory.ts";
export { type ClientCertificate, type ConnectionSettings, createDispatcher } from "./gateway/http/http-dispatcher.ts";
export {
  createHttpGateway,
  type HttpGateway,
  type HttpGatewayOptions,
  type TransactionAnswers,
} from "./gateway/http/http-gateway.ts";
export type { GatewayLog } from "./gateway/http/http-sender.ts";
export {
  type Bound,
  boundTo,
  isFor,
  isLoopback,
  isPlain,
  type NetworkProfile,
  originOf,
  originsOf,
  parseGatewayUrl,
  plainOriginsOf,
} from "./gateway/network-profile.ts";
export { requireWhole } from "./gateway/whole-account.ts";
export { chainTimeAbout, type HeadSample, type HeadSamples } from "./time/chain-times.ts";
export { type Clock, within } from "./time/clock.ts";
