import { type Bound, isFor, originsOf } from "../bound-credential.ts";
import type { NetworkProfile } from "../network-profile.ts";
import type { Finding } from "./finding.ts";

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
