/**
 * What features need of the network side. A bundle of its own: it holds undici and jose, so load it with `import()`.
 */
export {
  boundTo,
  type ConnectionSettings,
  createAccessTokens,
  createDispatcher,
  createHttpGateway,
  GatewayMemory,
  generateJwtKey,
  type HttpGateway,
  type HttpGatewayOptions,
  isEncryptedPem,
  parseGatewayUrl,
  parseJwtKey,
} from "@finality/client/gateway";
export { withheldFrom } from "../secrets/network-secrets.ts";
export { connectionSettings } from "../settings/connection-settings.ts";
export { proxySecrets } from "../settings/proxy-settings.ts";
export { testGateway } from "./gateway-test.ts";
