import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { connect } from "node:net";
import { SignJWT } from "jose";
import { BROADCAST, endpoints } from "../../../client/src/gateway/http/endpoints.ts";
import { type LocalChain, startLocalChain } from "../../src/main.ts";

const KID = "key-1";
const AUDIENCE = "chain.example";
const HEADER = { alg: "RS256", typ: "JWT", kid: KID };
const NOW = Date.UTC(2026, 5, 1);
const PATH = "/wallet/getnowblock";
/** Paths that the client requests. */
const PATHS = [...new Set([BROADCAST, ...Object.values(endpoints)].map(({ path }) => path))];

/** Returns the raw bytes of a response until the connection ends. */
async function exchange(baseUrl: string, headers: readonly string[], path = PATH): Promise<string> {
  const { port, host } = new URL(baseUrl);
  return await new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
    const lines = [`POST ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", "Content-Length: 2", ...headers];
    socket.write([...lines, "", "{}"].join("\r\n"));
  });
}

describe("access control of the local chain", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
  let chain: LocalChain;

  interface Token {
    readonly kid?: string;
    readonly audience?: string;
    readonly typ?: string;
    readonly alg?: string;
    readonly expiresIn?: number;
    readonly key?: KeyObject | Uint8Array;
  }
  const token = async (input: Token = {}): Promise<string> => {
    const { kid = KID, audience = AUDIENCE, typ = "JWT", alg = "RS256", key = pair.privateKey } = input;
    const jwt = new SignJWT({}).setProtectedHeader({ alg, typ, kid }).setAudience(audience);
    if (input.expiresIn !== undefined) jwt.setExpirationTime(NOW / 1000 + input.expiresIn);
    return await jwt.sign(key);
  };
  const withoutHeader = (name: "typ" | "kid"): Promise<string> => {
    const { [name]: _, ...rest } = HEADER;
    return new SignJWT({})
      .setProtectedHeader(rest as typeof HEADER)
      .setAudience(AUDIENCE)
      .sign(pair.privateKey);
  };
  const answerTo = (authorization: string): Promise<string> =>
    exchange(chain.baseUrl, [`Authorization: ${authorization}`]);
  const control = async (path: string, body: unknown): Promise<{ status: number; json: Record<string, unknown> }> => {
    const response = await fetch(chain.baseUrl + path, { method: "POST", body: JSON.stringify(body) });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };

  beforeEach(async () => {
    const jwt = { publicKey, kid: KID, audience: AUDIENCE };
    chain = await startLocalChain({ seed: "access", blockTimeMs: 0, now: () => NOW, jwt });
  });

  afterEach(async () => {
    await chain.close();
  });

  it("S3 S90 answers requests to all paths with a valid token, and closes the connection without one", async () => {
    const [valid, invalid] = [await token(), await token({ kid: "key-2" })].map((it) => `Authorization: Bearer ${it}`);
    assert.ok(PATHS.length >= 10);
    for (const path of PATHS) {
      assert.match(await exchange(chain.baseUrl, [valid ?? ""], path), /^HTTP\/1\.1 200 /, path);
      for (const headers of [[], [invalid ?? ""]]) assert.equal(await exchange(chain.baseUrl, headers, path), "", path);
    }
  });

  it("S3 S14 S16 S17 closes the connection without a byte for an invalid token", async () => {
    const bad = {
      "wrong kid": await token({ kid: "key-2" }),
      "empty kid": await token({ kid: "" }),
      "no kid": await withoutHeader("kid"),
      "wrong audience": await token({ audience: "elsewhere.example" }),
      "longer audience": await token({ audience: `${AUDIENCE}.` }),
      "no audience": await new SignJWT({}).setProtectedHeader(HEADER).sign(pair.privateKey),
      "wrong key": await token({ key: stranger.privateKey }),
      "no token": "",
      "half a token": (await token()).split(".").slice(0, 2).join("."),
    };
    for (const [what, it] of Object.entries(bad)) assert.equal(await answerTo(`Bearer ${it}`), "", what);
  });

  it("S17 refuses a token with a single changed character", async () => {
    const valid = await token();
    const [header = "", payload = "", signature = ""] = valid.split(".");
    for (const at of [3, header.length + 3, header.length + payload.length + 5, valid.length - signature.length + 40]) {
      const changed = `${valid.slice(0, at)}${valid[at] === "A" ? "B" : "A"}${valid.slice(at + 1)}`;
      assert.equal(await answerTo(`Bearer ${changed}`), "", `character ${at}`);
    }
  });

  it("S15 accepts a token until the second before exp, and without a limit if it has none", async () => {
    assert.match(await answerTo(`Bearer ${await token({ expiresIn: 1 })}`), /^HTTP\/1\.1 200 /);
    assert.equal(await answerTo(`Bearer ${await token({ expiresIn: 0 })}`), "");
    assert.equal(await answerTo(`Bearer ${await token({ expiresIn: -60 })}`), "");
    assert.match(await answerTo(`Bearer ${await token()}`), /^HTTP\/1\.1 200 /);
  });

  it("S12 S13 S91 S154 accepts no algorithm but RS256 and no type but JWT", async () => {
    const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" });
    assert.equal(await answerTo(`Bearer ${await token({ alg: "ES256", key: elliptic.privateKey })}`), "");
    assert.equal(await answerTo(`Bearer ${await token({ alg: "RS512" })}`), "");
    assert.equal(await answerTo(`Bearer ${await token({ alg: "HS256", key: Buffer.from(publicKey) })}`), "");
    const none = [{ alg: "none", typ: "JWT", kid: KID }, { aud: AUDIENCE }].map((it) =>
      Buffer.from(JSON.stringify(it)).toString("base64url"),
    );
    assert.equal(await answerTo(`Bearer ${none.join(".")}.`), "");
    assert.equal(await answerTo(`Bearer ${await token({ typ: "at+jwt" })}`), "");
    assert.equal(await answerTo(`Bearer ${await withoutHeader("typ")}`), "");
  });

  it("S92 requires exactly one space after Bearer", async () => {
    const jwt = await token();
    for (const header of [`Bearer  ${jwt}`, `bearer ${jwt}`, `Bearer\t${jwt}`, `BEARER ${jwt}`, jwt]) {
      assert.equal(await answerTo(header), "", header.slice(0, 9));
    }
  });

  it("S87 needs no token while JWT is off, and ignores a wrong one", async () => {
    await control("/local/access", { jwt: null });

    assert.match(await exchange(chain.baseUrl, []), /^HTTP\/1\.1 200 /);
    assert.match(await answerTo("Bearer nonsense"), /^HTTP\/1\.1 200 /);
  });

  it("S7 S8 S10 S89 creates a key record from a name and a public key, and returns id and fingerprint", async () => {
    const made = await control("/local/keys", { name: "laptop", publicKey });
    assert.equal(made.status, 200);
    assert.deepEqual(Object.keys(made.json), ["id", "name", "fingerprint"]);
    assert.match(await answerTo(`Bearer ${await token({ kid: String(made.json.id) })}`), /^HTTP\/1\.1 200 /);

    const pkcs1 = pair.publicKey.export({ type: "pkcs1", format: "pem" }).toString();
    for (const refused of [{ publicKey }, { name: " ", publicKey }, { name: "a", publicKey: pkcs1 }, { name: "a" }]) {
      assert.equal((await control("/local/keys", refused)).status, 400);
    }
  });

  it("S88 S147 stores at most three key records", async () => {
    for (const name of ["second", "third"]) {
      assert.equal((await control("/local/keys", { name, publicKey })).status, 200);
    }
    const fourth = await control("/local/keys", { name: "fourth", publicKey });
    assert.equal(fourth.status, 400);
    assert.match(String(fourth.json.error), /3 key records already/);
  });

  it("removes a record, refuses its tokens afterwards, and reports the use of each id", async () => {
    const { json: made } = await control("/local/keys", { name: "second", publicKey });
    const kid = String(made.id);
    assert.match(await answerTo(`Bearer ${await token({ kid })}`), /^HTTP\/1\.1 200 /);

    const remove = { method: "DELETE", body: JSON.stringify({ id: kid }) };
    const left = (await (await fetch(`${chain.baseUrl}/local/keys`, remove)).json()) as { records: unknown[] };

    assert.equal(left.records.length, 1);
    assert.equal(await answerTo(`Bearer ${await token({ kid })}`), "");
    const { seen } = (await (await fetch(`${chain.baseUrl}/local/keys`)).json()) as {
      seen: { [kid: string]: { requests: number; accepted: number } };
    };
    assert.deepEqual([seen[kid]?.requests, seen[kid]?.accepted], [2, 1]);
    assert.equal((await fetch(`${chain.baseUrl}/local/keys`, remove)).status, 400);
  });

  it("records at most a hundred ids", async () => {
    for (let at = 0; at < 120; at++) await answerTo(`Bearer ${await token({ kid: `stranger ${at}` })}`);
    const { seen } = (await (await fetch(`${chain.baseUrl}/local/keys`)).json()) as { seen: object };
    assert.equal(Object.keys(seen).length, 100);
  });

  it("S94 answers 401 without the API key and 403 with a wrong one", async () => {
    await control("/local/access", { jwt: null, apiKey: { key: "right" } });

    assert.match(await exchange(chain.baseUrl, []), /^HTTP\/1\.1 401 /);
    assert.match(await exchange(chain.baseUrl, ["CHAIN-PRO-API-KEY: wrong"]), /^HTTP\/1\.1 403 /);
    assert.match(await exchange(chain.baseUrl, ["CHAIN-PRO-API-KEY: right"]), /^HTTP\/1\.1 200 /);
  });

  it("S104 answers 429 with Retry-After until the count is used up", async () => {
    await control("/local/access", { jwt: null, rateLimit: { requests: 2, retryAfter: "7" } });

    const limited = await exchange(chain.baseUrl, []);
    assert.match(limited, /^HTTP\/1\.1 429 /);
    assert.match(limited, /\r\nretry-after: 7\r\n/i);
    assert.match(await exchange(chain.baseUrl, []), /^HTTP\/1\.1 429 /);
    assert.match(await exchange(chain.baseUrl, []), /^HTTP\/1\.1 200 /);
  });
});
