import { t } from "@vscode/l10n";
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
  address: t`Address`,
  origin: t`Where keys go`,
  proxy: t`Proxy`,
  name: t`Name`,
  connection: t`Connection`,
  tls: t`Encryption`,
  gateway: t`Answer`,
  "rate-limit": t`Rate limit`,
  "api-key": t`API key`,
  "jwt-key": t`JWT key`,
  "key-id": t`Key ID (kid)`,
  audience: t`Audience`,
  "public-key": t`Public key in the account`,
  token: t`Token`,
  clock: t`Clock`,
  "solidity-url": t`URL of solidified data`,
  chain: t`Chain as before`,
  "same-chain": t`Same chain on both sides`,
  fork: t`Same blocks on both sides`,
  head: t`Newest block`,
  solidified: t`Solidified data`,
  version: t`Version of the node`,
  path: t`Path`,
  "optional-path": t`Optional path`,
  "other-url": t`Other URL`,
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
