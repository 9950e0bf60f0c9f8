export {
  addressFinding,
  type CheckGroup,
  causesFirst,
  type Finding,
  idOfCheck,
  type PlannedCheck,
  planConnection,
  withheldFinding,
} from "./gateway/access/connection-checks.ts";
export type {
  Certificate,
  ConnectionProbe,
  Dialect,
  FailedAttempt,
  Handshake,
  LookUp,
  ProxyPlace,
  Reach,
} from "./gateway/access/connection-route.ts";
export { type ConnectionTestOptions, testConnection } from "./gateway/access/connection-test.ts";
export {
  createAccessTokens,
  generateJwtKey,
  isEncryptedPem,
  type JwtKey,
  type JwtKeyRecord,
  parseJwtKey,
  type TokenLifetime,
} from "./gateway/access/jwt.ts";
export { type Clock, chainTimeAbout, type HeadSample, type HeadSamples, within } from "./gateway/clock.ts";
export {
  type Account,
  type AccountGateway,
  type AccountResources,
  type AccountStakes,
  type Block,
  type ChainParameters,
  type DeployedContract,
  type Gateway,
  type Head,
  type Loan,
  type ResourceTotals,
  requireWhole,
  type TransactionInfo,
  type TransferRequest,
  type Trc10Token,
  type Unstaking,
  type Vote,
  type Witness,
} from "./gateway/gateway.ts";
export { type ClientCertificate, type ConnectionSettings, createDispatcher } from "./gateway/http/http-dispatcher.ts";
export {
  createHttpGateway,
  type HttpGateway,
  type HttpGatewayOptions,
  type TransactionAnswers,
} from "./gateway/http/http-gateway.ts";
export { GatewayMemory } from "./gateway/http/http-reader.ts";
export type { GatewayLog } from "./gateway/http/http-sender.ts";
export {
  type Bound,
  boundTo,
  type ChainAtUrl,
  type ChainId,
  type ChainPlace,
  coinSymbolOf,
  commonChain,
  isChainOfRealMoney,
  isFor,
  isLoopback,
  isPlain,
  LOCAL_NETWORK_NAME,
  mayBeSameChain,
  type NetworkProfile,
  originOf,
  originsOf,
  parseChainId,
  parseGatewayUrl,
  plainOriginsOf,
} from "./gateway/network.ts";
