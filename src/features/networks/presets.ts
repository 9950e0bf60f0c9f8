import { isLoopback, type NetworkProfile } from "@finality/client/gateway";
import { t } from "@vscode/l10n";

/** How a gateway wants to know who asks. */
export type Authentication = "none" | "api-key" | "jwt" | "jwt-and-api-key";

/** A kind of network with what is known about it in advance. */
export interface NetworkPreset {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly profile: Partial<NetworkProfile>;
  /** What to ask for besides: an URL that the profile does not fix, and whether it is real money. */
  readonly asks: readonly ("baseUrl" | "solidityBaseUrl" | "authentication" | "production")[];
}

const tronGrid = { apiKeyHeader: "TRON-PRO-API-KEY", audience: "trongrid.io" } as const;

export const networkPresets: readonly NetworkPreset[] = [
  {
    id: "gateway",
    label: t`Hosted gateway`,
    detail: t`A gateway with a JWT key, an API key, or both.`,
    profile: { apiKeyHeader: "CHAIN-PRO-API-KEY" },
    asks: ["baseUrl", "authentication", "production"],
  },
  {
    id: "trongrid-mainnet",
    label: t`TronGrid Mainnet`,
    detail: t`https://api.trongrid.io · real money`,
    profile: {
      name: t`TronGrid Mainnet`,
      baseUrl: "https://api.trongrid.io",
      ...tronGrid,
      production: true,
      explorerUrl: "https://tronscan.org",
    },
    asks: ["authentication"],
  },
  {
    id: "trongrid-shasta",
    label: t`TronGrid Shasta`,
    detail: t`https://api.shasta.trongrid.io · a test network`,
    profile: {
      name: t`TronGrid Shasta`,
      baseUrl: "https://api.shasta.trongrid.io",
      ...tronGrid,
      production: false,
      explorerUrl: "https://shasta.tronscan.org",
    },
    asks: ["authentication"],
  },
  {
    id: "trongrid-nile",
    label: t`TronGrid Nile`,
    detail: t`https://nile.trongrid.io · a test network`,
    profile: {
      name: t`TronGrid Nile`,
      baseUrl: "https://nile.trongrid.io",
      ...tronGrid,
      production: false,
      explorerUrl: "https://nile.tronscan.org",
    },
    asks: ["authentication"],
  },
  {
    id: "tre",
    label: t`TronBox Runtime Environment`,
    detail: t`http://127.0.0.1:9090 · the image tronbox/tre on this computer`,
    profile: { name: t`TRE`, baseUrl: "http://127.0.0.1:9090", production: false },
    asks: [],
  },
  {
    id: "node",
    label: t`Plain node`,
    detail: t`A node of your own, with its head and solidified interfaces on two ports.`,
    profile: { name: t`My node`, baseUrl: "http://127.0.0.1:8090", solidityBaseUrl: "http://127.0.0.1:8091" },
    asks: ["baseUrl", "solidityBaseUrl", "production"],
  },
];

/** Returns whether all of these URLs are of this computer, or of a public test network. Nothing else is for tests unsaid. */
export function areTestUrls(urls: readonly string[]): boolean {
  return urls.every((it) => {
    const url = URL.parse(it);
    if (url === null) return false;
    const preset = networkPresets.find(({ profile }) => profile.baseUrl === url.origin)?.profile;
    return isLoopback(url) || preset?.production === false;
  });
}

export function presetOf(id: string): NetworkPreset | undefined {
  return networkPresets.find((it) => it.id === id);
}
