import type { Gateway } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { ProofSources } from "../../core/proof/confirm-absence.ts";

interface GatewayAtUrl {
  at(network: NetworkProfile, url: string): Promise<Gateway>;
}

/**
 * Who else is asked before a proof of absence of a network counts. The time of an embedded chain can be put forward.
 */
export async function proofSources(gateways: GatewayAtUrl, network: NetworkProfile): Promise<ProofSources> {
  const others = await Promise.all(network.fallbackUrls.map((url) => gateways.at(network, url)));
  return { others, inRealTime: !network.local };
}
