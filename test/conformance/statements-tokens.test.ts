import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { connect } from "node:net";
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import { BROADCAST, endpoints } from "../../packages/client/src/gateway/http/endpoints.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";

const NOW = Date.UTC(2026, 5, 1);
const SECONDS = NOW / 1_000;
const KID = "key-1";
const AUDIENCE = "chain.test";
const HEADER: JWTHeaderParameters = { alg: "RS256", typ: "JWT", kid: KID };
const PAYLOAD: JWTPayload = { aud: AUDIENCE, exp: SECONDS + 60 };
const PATHS = [...new Set([BROADCAST, ...Object.values(endpoints)].map(({ path }) => path))];

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const otherRsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const publicKeyPem = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();

function token(
  header: Partial<JWTHeaderParameters> = {},
  payload: JWTPayload = PAYLOAD,
  key: KeyObject = rsa.privateKey,
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ ...HEADER, ...header }).sign(key);
}

describe("JWT switch of the embedded chain", () => {
  let chain: LocalChain;

  before(async () => {
    const jwt = { publicKey: publicKeyPem, kid: KID, audience: AUDIENCE };
    chain = await startLocalChain({ jwt, blockTimeMs: 0, now: () => NOW });
  });
  after(() => chain.close());

  /** Every byte that comes back on a connection of its own, until its end. */
  function bytesFor(authorization: string | undefined, path = "/wallet/getnowblock"): Promise<string> {
    const lines = [`POST ${path} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", "Content-Length: 2"];
    const header = authorization === undefined ? [] : [`Authorization: ${authorization}`];
    const { promise, resolve } = Promise.withResolvers<string>();
    let received = "";
    const socket = connect(Number(new URL(chain.baseUrl).port), "127.0.0.1");
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("error", () => undefined).on("close", () => resolve(received));
    socket.write([...lines, ...header, "", "{}"].join("\r\n"));
    return promise;
  }

  const passes = async (text: string): Promise<boolean> => /^HTTP\/1.1 200 /.test(await bytesFor(`Bearer ${text}`));
  const isDropped = async (text: string): Promise<boolean> => (await bytesFor(`Bearer ${text}`)) === "";

  it("S3 drops a request to any path without a byte, unless its token is valid", async () => {
    const wrong = [
      undefined,
      "Bearer malformed",
      `Bearer ${await token({ kid: "key-2" })}`,
      `Bearer ${await token({}, PAYLOAD, otherRsa)}`,
      `Bearer ${await token({}, { ...PAYLOAD, exp: SECONDS - 1 })}`,
      `Bearer ${await token({}, { ...PAYLOAD, aud: "else.test" })}`,
    ];
    assert.ok(PATHS.length >= 10);
    for (const path of PATHS) {
      for (const [index, header] of wrong.entries()) assert.equal(await bytesFor(header, path), "", `${path} ${index}`);
      assert.match(await bytesFor(`Bearer ${await token()}`, path), /^HTTP\/1.1 200 /, path);
    }
  });

  it("S13 S14 requires typ JWT and a kid", async () => {
    const without = (name: "typ" | "kid"): Promise<string> => {
      const { [name]: _, ...rest } = HEADER;
      return new SignJWT(PAYLOAD).setProtectedHeader(rest as JWTHeaderParameters).sign(rsa.privateKey);
    };

    assert.equal(await isDropped(await token({ typ: "at+jwt" })), true);
    assert.equal(await isDropped(await without("typ")), true);
    assert.equal(await isDropped(await without("kid")), true);
    assert.equal(await isDropped(await token({ kid: "" })), true);
  });

  it("S15 accepts a token until the second before exp, and without a limit if it has none", async () => {
    assert.equal(await passes(await token({}, { aud: AUDIENCE, exp: SECONDS + 1 })), true);
    assert.equal(await isDropped(await token({}, { aud: AUDIENCE, exp: SECONDS })), true);
    assert.equal(await passes(await token({}, { aud: AUDIENCE })), true);
  });

  it("S16 requires its own audience", async () => {
    assert.equal(await isDropped(await token({}, { exp: SECONDS + 60 })), true);
    assert.equal(await isDropped(await token({}, { ...PAYLOAD, aud: `${AUDIENCE}.` })), true);
  });

  it("S17 refuses a token with a single changed character", async () => {
    const right = await token();
    const [header = "", payload = "", signature = ""] = right.split(".");
    for (const at of [3, header.length + 3, header.length + payload.length + 5, right.length - signature.length + 40]) {
      const changed = `${right.slice(0, at)}${right[at] === "A" ? "B" : "A"}${right.slice(at + 1)}`;
      assert.equal(await isDropped(changed), true, `character ${at}`);
    }
  });
});
