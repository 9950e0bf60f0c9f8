import type { Dispatcher } from "undici";
import { type ChainError, isChainError } from "../../core/errors/chain-error.ts";
import { type ConnectionTestOptions, testConnection } from "../../core/gateway/access/connection-test.ts";
import { addressFinding, type Finding, withheldFinding } from "../../core/gateway/access/finding.ts";
import type { ConnectionSettings } from "../../core/gateway/http/http-dispatcher.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import { type NetworkCredentials, withKeyId } from "../secrets/network-credentials.ts";
import { withheldFrom } from "../secrets/network-secrets.ts";
import type { PlainHttp } from "./plain-http.ts";
import { SocketProbe } from "./socket-probe.ts";

/** Who watches a test of a network, and how it ends early. */
export interface GatewayTest extends Pick<ConnectionTestOptions, "watch" | "checkChain"> {
  readonly signal?: AbortSignal | undefined;
}

/** What a test of a network is made with. */
export interface GatewayTestParts extends Pick<ConnectionTestOptions, "clock" | "log" | "solidBlock"> {
  readonly credentials: Pick<NetworkCredentials, "of">;
  readonly plainHttp: Pick<PlainHttp, "checked">;
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
  { credentials, plainHttp, settings, ...parts }: GatewayTestParts,
): Promise<readonly Finding[]> {
  const secrets = await credentials.of(asked);
  const { network, obstacle } = testable(asked, withheldFrom(asked, secrets), plainHttp);
  const { apiKey, jwtKey } = secrets;
  const options = { ...parts, ...watched, probe: new SocketProbe(settings), apiKey, jwtKey, obstacle };
  return await testConnection(withKeyId(network, jwtKey), options, signal);
}

function testable(asked: NetworkProfile, withheld: ChainError | undefined, plainHttp: Pick<PlainHttp, "checked">) {
  try {
    return { network: plainHttp.checked(asked), obstacle: withheld && withheldFinding(withheld.message) };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { network: asked, obstacle: addressFinding(error.message) };
  }
}
