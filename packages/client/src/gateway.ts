export {
  type CheckGroup,
  type CheckResult,
  checkId,
  failuresFirst,
  type PlannedCheck,
  planConnection,
  refusedAddressResult,
  withheldKeysResult,
} from "./gateway/access/connection-checks.ts";
export type {
  Certificate,
  ConnectionProbe,
  ConnectResult,
  FailedAttempt,
  NameResolution,
  ProxyAddress,
  ServerProtocol,
  TlsHandshake,
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
export { type ChainAtUrl, coinSymbolOf, commonChain, isChainOfRealMoney } from "./gateway/chain-identity.ts";
export { type Clock, chainTimeAbout, type HeadSample, type HeadSamples, within } from "./gateway/clock.ts";
export {
  type Account,
  type AccountGateway,
  type AccountResources,
  type AccountStakes,
  type Block,
  type ChainParameters,
  type ContractRun,
  type Delegation,
  type DeployedContract,
  type EventLog,
  type Gateway,
  type Head,
  type InternalTransaction,
  type ResourceTotals,
  requireCompleteAccount,
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
  bindToOrigins,
  type ChainId,
  isBoundTo,
  isLoopback,
  isPlain,
  isSameChain,
  LOCAL_NETWORK_NAME,
  mayBeSameChain,
  type NetworkField,
  type NetworkProfile,
  type NetworkRef,
  networkLabel,
  type OriginBound,
  originOf,
  originsOf,
  parseChainId,
  parseGatewayUrl,
  plainOriginsOf,
} from "./gateway/network.ts";
export {
  networkFields,
  type ParsedNetworks,
  parseNetworkProfile,
  parseNetworks,
  printNetworkProfile,
} from "./gateway/network-settings.ts";
