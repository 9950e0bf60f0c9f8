import { verify } from "node:crypto";
import { drop, type Handler, json, type SeenRequest } from "./http-server.ts";

export interface JwtRule {
  readonly publicKeyPem: string;
  readonly keyId: string;
  readonly audience: string;
  /** Unix ms. */
  readonly now: () => number;
}

/** Answers requests with a good token, and drops the others without a byte, as the gateway document says. */
export function guarded(rule: JwtRule, body: unknown, headers: Readonly<Record<string, string>> = {}): Handler {
  return guardedBy(rule, json(body, 200, headers));
}

/** The same before any other server. */
export function guardedBy(rule: JwtRule, inner: Handler, refuse: Handler = drop): Handler {
  return (response, request, number) => (isGood(request, rule) ? inner : refuse)(response, request, number);
}

function isGood({ headers }: SeenRequest, { publicKeyPem, keyId, audience, now }: JwtRule): boolean {
  const match = /^Bearer (([\w-]+)\.([\w-]+))\.([\w-]+)$/.exec(headers.authorization ?? "");
  if (match === null) return false;
  const [, signed = "", header = "", payload = "", signature = ""] = match;
  const [head, claims] = [header, payload].map((it) => JSON.parse(Buffer.from(it, "base64url").toString("utf8")));
  const isSigned = verify("sha256", Buffer.from(signed), publicKeyPem, Buffer.from(signature, "base64url"));
  const isOurs = head.alg === "RS256" && head.typ === "JWT" && head.kid === keyId && claims.aud === audience;
  return isSigned && isOurs && (claims.exp === undefined || claims.exp * 1000 > now());
}
