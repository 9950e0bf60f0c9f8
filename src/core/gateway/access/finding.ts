import { type Bound, isFor, type NetworkProfile, originsOf } from "../network-profile.ts";

/** One line of a connection test: what was looked at, how it stands, and what to do about it. */
export interface Finding {
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
  readonly sentence: string;
  readonly nextStep?: string;
}

const NEXT_STEP = 'If the keys belong there too, edit the network: "Keys are sent to".';

/** Nothing was asked, because the keys of the network were entered for another URL. */
export function withheldFinding(sentence: string): Finding {
  return { check: "origin", status: "failed", sentence, nextStep: NEXT_STEP };
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
    .map((origin) => {
      const sentence = `${origin} is asked without the keys of this network: they were entered for another URL.`;
      return { check: "origin", status: "warning", sentence, nextStep: NEXT_STEP };
    });
}
