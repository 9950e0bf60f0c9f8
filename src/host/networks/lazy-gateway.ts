import {
  type CheckResult,
  type ConnectionSettings,
  type ConnectionTestOptions,
  type NetworkProfile,
  refusedAddressResult,
  testConnection,
  withheldKeysResult,
} from "@finality/client/gateway";
import { type ChainError, isChainError } from "@finality/tron/errors";
import type { Dispatcher } from "undici";
import { withheldFrom } from "../secrets/credential-origins.ts";
import { type NetworkCredentials, withKeyId } from "../secrets/network-credentials.ts";
import { SocketProbe } from "./socket-probe.ts";

/**
 * What features need of the network side. A bundle of its own: it holds undici and jose, so load it with `import()`.
 */
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

/** Who watches a test of a network, and how it ends early. */
export interface GatewayTest extends Pick<ConnectionTestOptions, "watch" | "checkChain"> {
  readonly signal?: AbortSignal | undefined;
}

/** What a test of a network is made with. */
export interface GatewayTestParts extends Pick<ConnectionTestOptions, "clock" | "log" | "solidBlock"> {
  readonly credentials: Pick<NetworkCredentials, "of">;
  /** The network as it may be asked. @throws {ChainError} it may not */
  readonly checked: () => NetworkProfile;
  readonly dispatcher: Dispatcher;
  readonly settings: ConnectionSettings;
}

/**
 * Tests a network with its keys: a finding for each line of the checklist, in its order. What stops it before anything
 * is asked is a line of it too.
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

function testable(asked: NetworkProfile, withheld: ChainError | undefined, checked: () => NetworkProfile) {
  try {
    return { network: checked(), obstacle: withheld && withheldKeysResult(withheld.message) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { network: asked, obstacle: refusedAddressResult(error) };
  }
}
