import type { Clock } from "@finality/client/gateway";
import { lazily } from "../lazily.ts";
import type { BrowserWallet } from "./browser-wallet.ts";

/** The wallet in the browser, loaded when somebody first asks it. */
export type WalletOnDemand = Pick<BrowserWallet, "sign" | "connect" | "dispose">;

/** @param folder - of the built pages */
export function walletOnDemand(folder: string, clock: Clock): WalletOnDemand {
  const load = lazily(async () => new (await import("./browser-wallet.ts")).BrowserWallet({ folder, clock }));
  return {
    sign: async (request) => (await load()).sign(request),
    connect: async () => (await load()).connect(),
    dispose: () => load.ifLoaded((it) => it.dispose()),
  };
}
