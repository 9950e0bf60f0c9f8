import type { NetworkProfile } from "../network-profile.ts";
import { documentedPaths, optionalPaths } from "./connection-paths.ts";
import type { CheckName } from "./finding.ts";

export type CheckGroup = "way" | "access" | "chain" | "paths" | "optional" | "others";

/** A line of the checklist before anything is known. */
export interface PlannedCheck {
  readonly check: CheckName;
  readonly of?: string;
  readonly title: string;
  readonly group: CheckGroup;
}

const TITLES: { readonly [C in CheckName]: string } = {
  address: "Address",
  origin: "Where keys go",
  proxy: "Proxy",
  name: "Name",
  connection: "Connection",
  tls: "Encryption",
  gateway: "Answer",
  "rate-limit": "Rate limit",
  "api-key": "API key",
  "jwt-key": "JWT key",
  "key-id": "Key ID (kid)",
  audience: "Audience",
  "public-key": "Public key in the account",
  token: "Token",
  clock: "Clock",
  "solidity-url": "URL of solidified data",
  chain: "Chain as before",
  "same-chain": "Same chain on both sides",
  fork: "Same blocks on both sides",
  head: "Newest block",
  solidified: "Solidified data",
  version: "Version of the node",
  path: "Path",
  "optional-path": "Optional path",
  "other-url": "Other URL",
};

const WAY: readonly CheckName[] = ["address", "origin", "proxy", "name", "connection", "tls"];
const JWT_SETTINGS: readonly CheckName[] = ["jwt-key", "key-id", "audience"];
const CHAIN: readonly CheckName[] = ["same-chain", "fork", "chain", "head", "solidified", "version"];

/** What a test of this network looks at, in its order: what stands further down needs what stands above. */
export function planConnection(network: NetworkProfile): readonly PlannedCheck[] {
  const { jwt, solidityBaseUrl, fallbackUrls } = network;
  const access: readonly CheckName[] = [
    ...(jwt ? JWT_SETTINGS : []),
    "gateway",
    "rate-limit",
    "api-key",
    "token",
    ...(jwt ? (["public-key"] as const) : []),
    "clock",
  ];
  const chain: readonly CheckName[] = [...(solidityBaseUrl === undefined ? [] : (["solidity-url"] as const)), ...CHAIN];
  const line = (group: CheckGroup) => (check: CheckName) => ({ check, title: TITLES[check], group });
  const of = (group: CheckGroup, check: CheckName) => (it: string) => ({ check, of: it, title: it, group });
  return [
    ...WAY.map(line("way")),
    ...access.map(line("access")),
    ...chain.map(line("chain")),
    ...documentedPaths.map(({ path }) => path).map(of("paths", "path")),
    ...optionalPaths.map(({ path }) => path).map(of("optional", "optional-path")),
    ...fallbackUrls.map(of("others", "other-url")),
  ];
}
