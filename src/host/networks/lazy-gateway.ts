/**
 * What features need of the network side. A bundle of its own: it holds undici and jose, so load it with `import()`.
 */
export { createAccessTokens } from "../../core/gateway/access/access-token.ts";
export { type ConnectionFacts, diagnoseConnection } from "../../core/gateway/access/connection-diagnosis.ts";
export { type ConnectionTestOptions, testConnection } from "../../core/gateway/access/connection-test.ts";
export type { Finding } from "../../core/gateway/access/finding.ts";
export { elsewhereFindings, withheldFinding } from "../../core/gateway/access/finding.ts";
export { generateJwtKey, isEncryptedPem, parseJwtKey } from "../../core/gateway/access/jwt-key.ts";
export { type ConnectionSettings, createDispatcher } from "../../core/gateway/http/http-dispatcher.ts";
export { createHttpGateway, type HttpGateway, type HttpGatewayOptions } from "../../core/gateway/http/http-gateway.ts";
export { boundTo, parseGatewayUrl } from "../../core/gateway/network-profile.ts";
export { withheldFrom } from "../secrets/network-secrets.ts";
