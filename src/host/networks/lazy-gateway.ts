import {
  type CheckResult,
  type ConnectionSettings,
  type ConnectionTestOptions,
  type NetworkProfile,
  refusedAddressResult,
  testConnection,
  withheldKeysResult,
} from "@finality/client/gateway";
import { SocketProbe } from "@finality/node/socket-probe";
import { type ChainError, isChainError } from "@finality/tron/errors";
import type { Dispatcher } from "undici";
import { withheldFrom } from "../secrets/credential-origins.ts";
import { type NetworkCredentials, withKeyId } from "../secrets/network-credentials.ts";

/** Network code for features. A lazy bundle, because it contains undici and jose: load it with `import()`. */
export {
  bindToOrigins,
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
export { withheldFrom } from "../secrets/credential-origins.ts";
export { connectionSettings, proxySecrets } from "../settings/connection-settings.ts";

/** Observers of a connection test, and its cancellation. */
export interface GatewayTest extends Pick<ConnectionTestOptions, "watch" | "checkChain"> {
  readonly signal?: AbortSignal | undefined;
}

/** Dependencies of a connection test. */
export interface GatewayTestParts extends Pick<ConnectionTestOptions, "clock" | "log" | "solidBlock"> {
  readonly credentials: NetworkCredentials;
  /** Returns the network if requests to it are allowed. @throws {ChainError} they are not */
  readonly checked: () => NetworkProfile;
  readonly dispatcher: Dispatcher;
  readonly settings: ConnectionSettings;
}

/**
 * Tests a network with its keys. Returns a result for each line of the checklist, in order. An obstacle that prevents
 * any request is a line too.
 *
 * @throws {ChainError} `SECRETS_UNAVAILABLE`
 */
export async function testGateway(
  asked: NetworkProfile,
  { signal, ...watched }: GatewayTest,
  { credentials, checked, settings, ...parts }: GatewayTestParts,
): Promise<readonly CheckResult[]> {
  const secrets = await credentials.of(asked);
  const { network, obstacle } = testable(asked, withheldFrom(asked, secrets), checked);
  const { apiKey, jwtKey } = secrets;
  const options = { ...parts, ...watched, probe: new SocketProbe(settings), apiKey, jwtKey, obstacle };
  return await testConnection(withKeyId(network, jwtKey), options, signal);
}

function testable(network: NetworkProfile, withheld: ChainError | undefined, checked: () => NetworkProfile) {
  try {
    return { network: checked(), obstacle: withheld && withheldKeysResult(withheld.message) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { network: network, obstacle: refusedAddressResult(error) };
  }
}
