import assert from "node:assert/strict";
import { createAccessTokens, generateJwtKey, type JwtKey } from "../../packages/client/src/gateway/access/jwt.ts";
import { createHttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { bindToOrigins, type NetworkProfile } from "../../packages/client/src/gateway/network.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";
import { profileAt } from "../support/fakes/gateway-fixtures.ts";
import { firstFailure, testedConnection } from "../support/http/tested-connection.ts";

const NOW = Date.UTC(2026, 5, 1);
const API_KEY = "api-key-of-the-test";
const GOOD: Partial<NetworkProfile> = { jwt: true, keyId: "key-1", audience: "chain.test" };

describe("access to the embedded chain", () => {
  let chain: LocalChain;
  let key: JwtKey;

  before(async () => {
    key = await generateJwtKey();
    const jwt = { publicKey: key.publicKeyPem, kid: "key-1", audience: "chain.test" };
    chain = await startLocalChain({ jwt, apiKey: API_KEY, blockTimeMs: 0, now: () => NOW });
  });
  after(() => chain.close());

  /** Returns the most likely cause that the connection test reports. */
  async function causeOf(change: Partial<NetworkProfile>, options: { apiKey?: string; ahead?: number } = {}) {
    const { apiKey = API_KEY, ahead = 0 } = options;
    const keys = { jwtKeyPem: key.privateKeyPem, ...(apiKey === "" ? {} : { apiKey }) };
    const now = { ahead: NOW + ahead - Date.now() };
    return firstFailure(await testedConnection({ ...change, ...keys, ...now, url: chain.baseUrl }));
  }

  it("S3 S17 succeeds with a valid token, in both views", async () => {
    const clock = new FakeClock(NOW);
    const profile = profileAt(chain.baseUrl, GOOD);
    const tokens = createAccessTokens(clock);
    const accessToken = () => tokens.token(profile, key.privateKeyPem);
    const gateway = createHttpGateway(profile, {
      clock,
      apiKey: bindToOrigins(profile, API_KEY),
      accessToken: bindToOrigins(profile, accessToken),
    });
    const blocks = await Promise.all([gateway.headBlock(), gateway.solidBlock(), gateway.headBlock()]);
    await gateway.close();
    assert.equal(blocks.length, 3);
  });

  it("S3 S14 S15 S16 reports the cause of a missing answer in a connection test", async () => {
    assert.match(await causeOf({ ...GOOD, keyId: "key-9" }), /^token: .*key ID \(kid\) "key-9"/);
    assert.match(await causeOf({ ...GOOD, audience: "else.test" }), /^token: .*audience "else.test"/);
    assert.match(await causeOf(GOOD, { ahead: -180_000 }), /^clock: .*every token has expired/);
    assert.match(await causeOf({ jwt: false }), /^token: .*had no token/);
  });

  it("S94 S103 reports the API key header for 401 and 403 in a connection test", async () => {
    assert.match(await causeOf(GOOD, { apiKey: "" }), /^api-key: .*CHAIN-PRO-API-KEY is missing/);
    assert.match(await causeOf(GOOD, { apiKey: "another" }), /^api-key: .*CHAIN-PRO-API-KEY is wrong/);
  });
});
