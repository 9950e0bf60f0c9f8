/**
 * What features need of the network side. A bundle of its own: it holds undici and jose, so load it with `import()`.
 */
export { createAccessTokens } from "../../core/gateway/access/access-token.ts";
export { generateJwtKey, isEncryptedPem, parseJwtKey } from "../../core/gateway/access/jwt-key.ts";
export { GatewayMemory } from "../../core/gateway/http/gateway-memory.ts";
export { type ConnectionSettings, createDispatcher } from "../../core/gateway/http/http-dispatcher.ts";
export { createHttpGateway, type HttpGateway, type HttpGatewayOptions } from "../../core/gateway/http/http-gateway.ts";
export { boundTo, parseGatewayUrl } from "../../core/gateway/network-profile.ts";
export { withheldFrom } from "../secrets/network-secrets.ts";
export { connectionSettings } from "../settings/connection-settings.ts";
export { proxySecrets } from "../settings/proxy-settings.ts";
export { testGateway } from "./gateway-test.ts";
