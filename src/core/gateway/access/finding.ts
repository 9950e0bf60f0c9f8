import { originWords, type Said } from "../../../words/reasons/connections.ts";
import { type Bound, isFor, type NetworkProfile, originsOf } from "../network-profile.ts";

/** One line of a connection test: what was looked at, how it stands, and what to do about it. */
export interface Finding extends Said {
  readonly check:
    | "gateway"
    | "chain"
    | "api-key"
    | "jwt-key"
    | "key-id"
    | "audience"
    | "public-key"
    | "token"
    | "clock"
    | "origin";
  readonly status: "ok" | "warning" | "failed";
}

/** Nothing was asked, because the keys of the network were entered for another URL. */
export function withheldFinding(sentence: string): Finding {
  return { check: "origin", status: "failed", ...originWords.withheld(sentence) };
}

/** Further URLs of a network that are asked without its keys. */
export function elsewhereFindings(
  network: NetworkProfile,
  { apiKey, jwtKey }: { readonly apiKey: Bound<string> | undefined; readonly jwtKey: Bound<string> | undefined },
): readonly Finding[] {
  const used = [...(apiKey === undefined ? [] : [apiKey]), ...(jwtKey === undefined || !network.jwt ? [] : [jwtKey])];
  const [, ...others] = originsOf(network);
  return others
    .filter((origin) => used.some((it) => !isFor(it, origin)))
    .map((origin) => ({ check: "origin", status: "warning", ...originWords.elsewhere(origin) }));
}
