import type { HttpGateway, NetworkProfile } from "@finality/client/gateway";
import { type KnownToken, readKnownToken } from "@finality/client/tokens";
import type { Address } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { ChainsOnDemand } from "../host/networks/chains-on-demand.ts";
import { whileWorking } from "../host/prompts/notify.ts";

interface TokenContext {
  readonly services: {
    readonly chains: Pick<ChainsOnDemand, "networkRefOf" | "decimals">;
    readonly gateways: { at(network: NetworkProfile, url: string): Promise<HttpGateway> };
  };
  readonly network: NetworkProfile;
  readonly gateway: HttpGateway;
}

/**
 * Reads a token. On first use it requests the decimals from all URLs of the network, and pins them for its chain.
 *
 * @throws {ChainError} `TOKEN_DECIMALS_DIFFER`, `CONTRACT_UNKNOWN`, `CHAIN_CHANGED`, and the errors of the gateway
 */
export async function tokenAt({ services, network, gateway }: TokenContext, address: Address): Promise<KnownToken> {
  return await whileWorking(t`Reading the token`, async (signal) => {
    const [here, pins] = await Promise.all([services.chains.networkRefOf(network), services.chains.decimals()]);
    const fallbacks = network.fallbackUrls.map((url) => ({ url, open: () => services.gateways.at(network, url) }));
    return await readKnownToken(address, { network: here, gateway, fallbacks, pins }, signal);
  });
}
