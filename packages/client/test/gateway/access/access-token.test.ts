import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { FakeClock } from "../../../../../test/support/fakes/fake-clock.ts";
import { profileAt } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import { createAccessTokens } from "../../../src/gateway/access/access-token.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const PROFILE = profileAt("https://api.chain.test", { jwt: true, keyId: "key-1", audience: "chain.test" });

function decode(token: string): { header: unknown; payload: { exp: number }; parts: readonly string[] } {
  const parts = token.split(".");
  const [header, payload] = parts.slice(0, 2).map((it) => JSON.parse(Buffer.from(it, "base64url").toString("utf8")));
  return { header, payload, parts };
}

describe("access tokens", () => {
  it("S12 S13 S14 S16 S90 S154 have a header of alg, typ and kid and a payload of aud and exp, and nothing else", async () => {
    const clock = new FakeClock();
    const { header, payload } = decode(await createAccessTokens(clock).token(PROFILE, KEY));
    assert.deepEqual(header, { alg: "RS256", typ: "JWT", kid: "key-1" });
    assert.deepEqual(payload, { aud: "chain.test", exp: Math.floor(clock.now() / 1000) + 60 });
  });

  it("S15 end at an integer of seconds", async () => {
    const clock = new FakeClock(1_700_000_000_987);
    assert.equal(decode(await createAccessTokens(clock).token(PROFILE, KEY)).payload.exp, 1_700_000_060);
  });

  it("S17 are signed with the private key: any changed character breaks them", async () => {
    const token = await createAccessTokens(new FakeClock()).token(PROFILE, KEY);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const isGood = (text: string): boolean =>
      verify("sha256", Buffer.from(text), pair.publicKey, Buffer.from(signature, "base64url"));
    assert.ok(isGood(`${header}.${payload}`));
    assert.ok(!isGood(`${header}.${payload.slice(0, -1)}A`));
  });

  it("are signed once and used until 80 % of their life is over", async () => {
    const clock = new FakeClock();
    const tokens = createAccessTokens(clock);
    const [first, same] = await Promise.all([tokens.token(PROFILE, KEY), tokens.token(PROFILE, KEY)]);
    await clock.advance(47_999);
    assert.deepEqual([same, await tokens.token(PROFILE, KEY)], [first, first]);
    await clock.advance(1);
    const next = await tokens.token(PROFILE, KEY);
    assert.equal(decode(next).payload.exp - decode(first).payload.exp, 48);
  });

  it("are signed anew when the settings of the network change, and are kept apart by network", async () => {
    const clock = new FakeClock();
    const tokens = createAccessTokens(clock);
    const first = await tokens.token(PROFILE, KEY);
    const other = await tokens.token({ ...PROFILE, name: "Other", audience: "other.test" }, KEY);
    await clock.advance(1_000);
    assert.equal(await tokens.token(PROFILE, KEY), first);
    assert.notEqual(other, first);
    const changed = await tokens.token({ ...PROFILE, keyId: "key-2" }, KEY);
    assert.deepEqual(decode(changed).header, { alg: "RS256", typ: "JWT", kid: "key-2" });
  });

  it("are signed anew when the clock was set back, and when they are forgotten", async () => {
    let now = 1_700_000_000_000;
    const tokens = createAccessTokens({ now: () => now, sleep: () => Promise.resolve() });
    const first = decode(await tokens.token(PROFILE, KEY)).payload.exp;
    now -= 10_000;
    assert.equal(decode(await tokens.token(PROFILE, KEY)).payload.exp, first - 10);
    now += 5_000;
    tokens.forget(PROFILE.name);
    assert.equal(decode(await tokens.token(PROFILE, KEY)).payload.exp, first - 5);
  });

  it("S9 pass the ID through as it is, without the blanks around it", async () => {
    for (const id of ["a-b_c", "ключ 1", "0", "x/y+z=="]) {
      const token = await createAccessTokens(new FakeClock()).token({ ...PROFILE, keyId: ` ${id}\n` }, KEY);
      assert.deepEqual(decode(token).header, { alg: "RS256", typ: "JWT", kid: id });
    }
  });

  it("S15 last as long as was chosen, and have no exp where that was chosen", async () => {
    const clock = new FakeClock();
    const tokens = createAccessTokens(clock);
    const hour = decode(await tokens.token(PROFILE, KEY, 3_600_000)).payload.exp;
    assert.equal(hour, Math.floor(clock.now() / 1000) + 3_600);
    const endless = await tokens.token(PROFILE, KEY, "endless");
    assert.deepEqual(decode(endless).payload, { aud: "chain.test" });
    await clock.advance(100_000_000);
    assert.equal(await tokens.token(PROFILE, KEY, "endless"), endless);
  });

  it("are under way from the moment they are asked for until their request has ended", async () => {
    const tokens = createAccessTokens(new FakeClock());
    let isIdle = false;
    const asked = [tokens.token(PROFILE, KEY), tokens.token(PROFILE, KEY)];
    const idle = tokens.idle(PROFILE.name, "key-1").then(() => {
      isIdle = true;
    });
    const [token = ""] = await Promise.all(asked);
    tokens.ended(token);
    await tokens.idle(PROFILE.name, "key-2");
    await tokens.idle("Other", "key-1");
    assert.equal(isIdle, false);
    tokens.ended(token);
    await idle;
    await tokens.idle(PROFILE.name, "key-1");
  });

  it("that could not be signed are not under way", async () => {
    const tokens = createAccessTokens(new FakeClock());
    await assert.rejects(tokens.token(PROFILE, "nonsense"), { code: "JWT_KEY_MALFORMED" });
    await tokens.idle(PROFILE.name, "key-1");
  });

  it("S14 S16 are not signed without an ID, an audience or a key: there is no default", async () => {
    const tokens = createAccessTokens(new FakeClock());
    const { keyId: _keyId, ...withoutId } = PROFILE;
    const { audience: _audience, ...withoutAudience } = PROFILE;
    for (const [profile, key, message] of [
      [withoutId, KEY, /its key ID \(kid\) is not set/],
      [{ ...PROFILE, keyId: "  " }, KEY, /its key ID \(kid\) is not set/],
      [withoutAudience, KEY, /its audience is not set/],
      [PROFILE, undefined, /its private key is not set/],
    ] as const) {
      await assert.rejects(tokens.token(profile, key), { code: "JWT_SETTING_MISSING", message });
    }
  });

  it("a key that cannot sign is refused each time and nothing of it is kept", async () => {
    const tokens = createAccessTokens(new FakeClock());
    await assert.rejects(tokens.token(PROFILE, "nonsense"), { code: "JWT_KEY_MALFORMED" });
    await assert.rejects(tokens.token(PROFILE, "nonsense"), { code: "JWT_KEY_MALFORMED" });
    assert.equal((await tokens.token(PROFILE, KEY)).split(".").length, 3);
  });
});
