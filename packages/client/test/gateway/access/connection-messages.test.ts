import assert from "node:assert/strict";
import {
  apiKeyMessages,
  audienceMessages,
  type CheckMessage,
  clockMessages,
  jwtKeyMessages,
  keyIdMessages,
  originMessages,
  tokenFaults,
  tokenMessages,
} from "../../../src/gateway/access/connection-messages.ts";

const ALL: { readonly [what: string]: CheckMessage } = {
  "keys for another URL": originMessages.withheld("Nothing was asked."),
  "a URL without keys": originMessages.elsewhere("https://b.test"),
  "no JWT key": jwtKeyMessages.missing,
  "a fine JWT key": jwtKeyMessages.fine(2_048),
  "a JWT key that cannot be used": jwtKeyMessages.unusable("It is damaged."),
  "another public key": jwtKeyMessages.otherPublicKey,
  "no key ID": keyIdMessages.missing,
  "a key for its ID": keyIdMessages.holdsKey,
  "a fingerprint for its ID": keyIdMessages.fingerprint("aa:bb"),
  "a fine key ID": keyIdMessages.fine("k1"),
  "another key ID": keyIdMessages.other("k1"),
  "no audience": audienceMessages.missing,
  "an audience that is no domain": audienceMessages.noDomain("https://x"),
  "the audience of another domain": audienceMessages.otherDomain("a.test", "b.test"),
  "a fine audience": audienceMessages.fine("a.test"),
  "a wrong audience": audienceMessages.wrong("a.test", "b.test"),
  "another audience": audienceMessages.other("a.test"),
  "a well-formed token": tokenMessages.wellFormed,
  "an accepted token": tokenMessages.accepted,
  "a faulty token": tokenMessages.faulty(tokenFaults.noJwt),
  "a required token": tokenMessages.required,
  "a dropped token": tokenMessages.dropped("k1", "a.test", "key-id"),
  "a refused API key": apiKeyMessages.refused(401, "X-Key", true),
  "an API key": apiKeyMessages.sent("X-Key"),
  "no API key": apiKeyMessages.none,
  "a fine clock": clockMessages.fine(3),
  "a clock that is apart": clockMessages.apart(90, "ahead"),
  "a slow clock": clockMessages.slow(undefined),
  "a gateway that is not sure of the token": apiKeyMessages.refusedWithToken(401, "X-Key", false),
  "keys that fit": originMessages.here,
  "no keys at all": originMessages.noKeys,
  "a public key that fits": jwtKeyMessages.accepted,
  "no token": tokenMessages.off,
  "a token that came late": tokenMessages.late,
  "a token for another audience": tokenMessages.forOtherAudience,
  "an unknown clock": clockMessages.unknown,
};

describe("connection test messages", () => {
  for (const [what, { sentence, nextStep = "It is so." }] of Object.entries(ALL)) {
    it(`are whole sentences: ${what}`, () => {
      assert.match(sentence, /^[A-Zh].*\.$/);
      assert.match(nextStep, /^[A-Z].*\.$/);
    });
  }

  it("begin with the unusual fact", () => {
    assert.match(
      tokenMessages.dropped("k1", "a.test", "key-id").sentence,
      /: the key ID \(kid\) "k1", the audience "a\.test"/,
    );
    assert.match(tokenMessages.dropped("k1", "a.test", "audience").sentence, /: the audience "a\.test", the key ID/);
  });

  it("distinguish a wrong API key from a missing one", () => {
    assert.match(apiKeyMessages.refused(401, "X-Key", true).sentence, /401.* header X-Key is wrong\.$/);
    assert.match(apiKeyMessages.refused(403, "X-Key", false).sentence, /403.* is missing\.$/);
  });

  it("state the offset and direction of a clock when they are known", () => {
    assert.match(clockMessages.apart(90, "ahead").sentence, / 90 s ahead of that of the gateway/);
    assert.match(clockMessages.apart(90, "behind").sentence, / 90 s behind that of the gateway/);
    assert.match(clockMessages.slow(95).sentence, /is behind by 95 s, so/);
    assert.match(clockMessages.slow(undefined).sentence, /is behind, so/);
  });

  it("quote the values of a token and of the network", () => {
    assert.equal(tokenFaults.keyId("k1", "k2"), 'The token names the key ID "k1", the network "k2".');
    assert.equal(tokenFaults.audience("a", "b"), 'The token is for the audience "a", the network says "b".');
    assert.match(tokenFaults.algorithm("none", "RS256"), /signed with none; only RS256/);
    assert.match(tokenFaults.expired(3), /expired 3 s before/);
  });
});
