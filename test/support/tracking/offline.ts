import type { Gateway } from "../../../packages/client/src/gateway/gateway.ts";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { FakeGateway } from "../fakes/fake-gateway.ts";

export const OFFLINE = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "no network" });

const READS = [
  ...(["headBlock", "headBlocks", "headTransaction", "headTransactionInfo", "nodeInfo", "chainId"] as const),
  ...(["solidBlock", "solidBlocks", "solidTransaction", "solidTransactionInfo", "solidTransactionInfos"] as const),
];

/** Every read fails, until the function that this gives is called. */
export function goOffline({ gateway }: { readonly gateway: FakeGateway }, failure: unknown = OFFLINE): () => void {
  const own = READS.map((it) => [it, gateway[it]] as const);
  for (const it of READS) {
    gateway[it] = (async () => {
      gateway.requests.push(it);
      throw failure;
    }) as never;
  }
  return () => Object.assign(gateway, Object.fromEntries(own) as Partial<Gateway>);
}
