import type { AnyChainError } from "@finality/tron/errors";
import { type Bound, isFor, type NetworkProfile, originsOf } from "../network-profile.ts";
import { originWords, type Said } from "./connection-messages.ts";

/** What a connection test looks at. */
export type CheckName =
  | "address"
  | "origin"
  | "proxy"
  | "name"
  | "connection"
  | "tls"
  | "gateway"
  | "rate-limit"
  | "api-key"
  | "jwt-key"
  | "key-id"
  | "audience"
  | "public-key"
  | "token"
  | "clock"
  | "solidity-url"
  | "chain"
  | "same-chain"
  | "fork"
  | "head"
  | "solidified"
  | "version"
  | "path"
  | "optional-path"
  | "other-url";

/** One line of a connection test: what was looked at, how it stands, and what to do about it. */
export interface Finding extends Said {
  readonly check: CheckName;
  /** `skipped`: it could not be looked at, or it is optional and not there. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** Which path or URL, where a check is made of several. */
  readonly of?: string;
  /** How long the gateway took; ms. */
  readonly ms?: number;
}

/** What tells a line of a connection test from the others. */
export function idOfCheck({ check, of }: Pick<Finding, "check" | "of">): string {
  return of === undefined ? check : `${check} ${of}`;
}

const RANK = { failed: 0, warning: 1, ok: 2, skipped: 3 } as const;

/** The findings with the likeliest cause first: what failed, in the order of the checks, then the warnings. */
export function causesFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((left, right) => RANK[left.status] - RANK[right.status]);
}

/** Nothing was asked, because the keys of the network were entered for another URL. */
export function withheldFinding(sentence: string): Finding {
  return { check: "origin", status: "failed", ...originWords.withheld(sentence) };
}

/** Nothing was asked, because its URL may not be asked, or not without a client certificate. */
export function addressFinding({ code, message }: AnyChainError): Finding {
  const check = code === "CLIENT_CERTIFICATE_UNUSABLE" ? "tls" : "address";
  return { check, status: "failed", ...originWords.addressRefused(message) };
}

/** Whether further URLs of a network are asked without its keys. */
export function elsewhereFinding(
  network: NetworkProfile,
  { apiKey, jwtKey }: { readonly apiKey: Bound<string> | undefined; readonly jwtKey: Bound<string> | undefined },
): Finding {
  const used = [...(apiKey === undefined ? [] : [apiKey]), ...(jwtKey === undefined || !network.jwt ? [] : [jwtKey])];
  const [, ...others] = originsOf(network);
  const without = others.filter((origin) => used.some((it) => !isFor(it, origin)));
  if (without.length > 0) return { check: "origin", status: "warning", ...originWords.elsewhere(without.join(", ")) };
  return { check: "origin", status: "ok", ...(used.length === 0 ? originWords.noKeys : originWords.here) };
}
