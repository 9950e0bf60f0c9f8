import assert from "node:assert/strict";
import {
  apiKeyWords,
  audienceWords,
  clockWords,
  jwtKeyWords,
  keyIdWords,
  originWords,
  type Said,
  tokenFaults,
  tokenWords,
} from "../../../src/gateway/access/connection-messages.ts";

const ALL: { readonly [what: string]: Said } = {
  "keys for another URL": originWords.withheld("Nothing was asked."),
  "a URL without keys": originWords.elsewhere("https://b.test"),
  "no JWT key": jwtKeyWords.missing,
  "a fine JWT key": jwtKeyWords.fine(2_048),
  "a JWT key that cannot be used": jwtKeyWords.unusable("It is damaged."),
  "another public key": jwtKeyWords.otherPublicKey,
  "no key ID": keyIdWords.missing,
  "a key for its ID": keyIdWords.holdsKey,
  "a fingerprint for its ID": keyIdWords.fingerprint("aa:bb"),
  "a fine key ID": keyIdWords.fine("k1"),
  "another key ID": keyIdWords.other("k1"),
  "no audience": audienceWords.missing,
  "an audience that is no domain": audienceWords.noDomain("https://x"),
  "the audience of another domain": audienceWords.otherDomain("a.test", "b.test"),
  "a fine audience": audienceWords.fine("a.test"),
  "a wrong audience": audienceWords.wrong("a.test", "b.test"),
  "another audience": audienceWords.other("a.test"),
  "a well-formed token": tokenWords.wellFormed,
  "an accepted token": tokenWords.accepted,
  "a faulty token": tokenWords.faulty(tokenFaults.noJwt),
  "a token that is wanted": tokenWords.wanted,
  "a dropped token": tokenWords.dropped("k1", "a.test", "key-id"),
  "a refused API key": apiKeyWords.refused(401, "X-Key", true),
  "an API key": apiKeyWords.sent("X-Key"),
  "no API key": apiKeyWords.none,
  "a fine clock": clockWords.fine(3),
  "a clock that is apart": clockWords.apart(90, "ahead"),
  "a slow clock": clockWords.slow(undefined),
  "a gateway that is not sure of the token": apiKeyWords.refusedWithToken(401, "X-Key", false),
  "keys that fit": originWords.here,
  "no keys at all": originWords.noKeys,
  "a public key that fits": jwtKeyWords.accepted,
  "no token": tokenWords.off,
  "a token that came late": tokenWords.late,
  "a token for another audience": tokenWords.forOtherAudience,
  "an unknown clock": clockWords.unknown,
};

describe("the findings of a connection test", () => {
  for (const [what, { sentence, nextStep = "It is so." }] of Object.entries(ALL)) {
    it(`are whole sentences: ${what}`, () => {
      assert.match(sentence, /^[A-Zh].*\.$/);
      assert.match(nextStep, /^[A-Z].*\.$/);
    });
  }

  it("name first what is odd", () => {
    assert.match(
      tokenWords.dropped("k1", "a.test", "key-id").sentence,
      /: the key ID \(kid\) "k1", the audience "a\.test"/,
    );
    assert.match(tokenWords.dropped("k1", "a.test", "audience").sentence, /: the audience "a\.test", the key ID/);
  });

  it("tell a wrong API key from a missing one", () => {
    assert.match(apiKeyWords.refused(401, "X-Key", true).sentence, /401.* header X-Key is wrong\.$/);
    assert.match(apiKeyWords.refused(403, "X-Key", false).sentence, /403.* is missing\.$/);
  });

  it("say by how much and which way a clock is off, where that is known", () => {
    assert.match(clockWords.apart(90, "ahead").sentence, / 90 s ahead of that of the gateway/);
    assert.match(clockWords.apart(90, "behind").sentence, / 90 s behind that of the gateway/);
    assert.match(clockWords.slow(95).sentence, /is behind by 95 s, so/);
    assert.match(clockWords.slow(undefined).sentence, /is behind, so/);
  });

  it("quote what a token says beside what the network says", () => {
    assert.equal(tokenFaults.keyId("k1", "k2"), 'The token names the key ID "k1", the network "k2".');
    assert.equal(tokenFaults.audience("a", "b"), 'The token is for the audience "a", the network says "b".');
    assert.match(tokenFaults.algorithm("none", "RS256"), /signed with none; only RS256/);
    assert.match(tokenFaults.expired(3), /expired 3 s before/);
  });
});
