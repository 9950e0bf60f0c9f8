import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { profileAt } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import { checkToken } from "../../../src/gateway/access/connection-authentication.ts";
import { expiry, signToken } from "../../../src/gateway/access/jwt.ts";

const NOW = Date.UTC(2026, 0, 1);
const PROFILE = profileAt("https://api.chain.test", { jwt: true, keyId: "key-1", audience: "chain.test" });
const privateKeyPem = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const CLAIMS = { keyId: "key-1", audience: "chain.test", privateKeyPem };

async function faultOf(
  header: (token: string) => string | undefined,
  change: Partial<typeof CLAIMS> = {},
): Promise<string> {
  const token = await signToken({ ...CLAIMS, ...change }, expiry(NOW, 60_000));
  return checkToken(header(token), PROFILE, NOW)
    .map((it) => `${it.status}: ${it.sentence}`)
    .join();
}

describe("checkToken", () => {
  it("S92 accepts exactly one space after Bearer", async () => {
    assert.match(await faultOf((token) => `Bearer ${token}`), /^ok/);
    assert.match(await faultOf((token) => `Bearer  ${token}`), /^failed: .*more than one space after Bearer/);
    for (const header of ["bearer x.y.z", "Bearer\tx.y.z", "Bearer x.y", "Token x.y.z", "Bearer x.y.z "]) {
      assert.match(await faultOf(() => header), /^failed: .*not of the form Bearer <token>/, header);
    }
  });

  it("S3 reports a missing token", async () => {
    assert.match(await faultOf(() => undefined), /^failed: No token was sent/);
  });

  it("S14 S16 reports a kid or an audience that differs from the network", async () => {
    assert.match(await faultOf((token) => `Bearer ${token}`, { keyId: "key-2" }), /^failed: .*key ID "key-2"/);
    assert.match(
      await faultOf((token) => `Bearer ${token}`, { audience: "else.test" }),
      /^failed: .*audience "else.test"/,
    );
  });

  it("S15 reports a token from the second of its expiry", async () => {
    const header = `Bearer ${await signToken(CLAIMS, expiry(NOW, 60_000))}`;
    assert.equal(checkToken(header, PROFILE, NOW + 59_999)[0]?.status, "ok");
    assert.match(checkToken(header, PROFILE, NOW + 60_000)[0]?.sentence ?? "", /had expired 0 s before it arrived/);
  });

  it("S12 S13 reports another algorithm or type", () => {
    const part = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString("base64url");
    const fault = (header: unknown): string | undefined =>
      checkToken(`Bearer ${part(header)}.${part({ aud: "chain.test" })}.x`, PROFILE, NOW)[0]?.sentence;
    assert.match(fault({ alg: "ES256", typ: "JWT", kid: "key-1" }) ?? "", /signed with ES256/);
    assert.match(fault({ alg: "RS256", kid: "key-1" }) ?? "", /is not marked as a JWT/);
    assert.match(fault({ alg: "RS256", typ: "JWT", kid: "key-1" }) ?? "", /well-formed/);
    assert.match(fault([]) ?? "", /cannot be decoded/);
  });
});
