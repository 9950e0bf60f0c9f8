import assert from "node:assert/strict";
import { MASK, Masking } from "../../../src/host/masking.ts";

const TX_ID = "7f3a".repeat(16);
const KEY = "ab12".repeat(16);

describe("masking", () => {
  it("takes out what looks like a token or a private key", () => {
    const masking = new Masking();
    const pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQ\nabc=\n-----END PRIVATE KEY-----";

    assert.equal(masking.masked("authorization: Bearer abc.def-1"), `authorization: ${MASK}`);
    assert.equal(masking.masked("token eyJhbGciOiJS.eyJhdWQi.c2ln end"), `token ${MASK} end`);
    assert.equal(masking.masked(`before ${pem} after`), `before ${MASK} after`);
    assert.equal(masking.masked("-----BEGIN RSA PRIVATE KEY-----\nMIIE, cut off"), MASK);
  });

  it("takes out every value that was named, in any case and with or without 0x", () => {
    const masking = new Masking();
    masking.remember(`0x${KEY}`);
    masking.remember("an api.key+1 ");

    assert.equal(masking.masked(`key=${KEY.toUpperCase()}, 0x${KEY}`), `key=${MASK}, 0x${MASK}`);
    assert.equal(masking.masked("header: an api.key+1"), `header: ${MASK}`);
    assert.equal(masking.masked("an apiXkey+1"), "an apiXkey+1");
  });

  it("finds tokens among dots and dashes, and one behind another", () => {
    const masking = new Masking();
    const token = "eyJhbGciOiJS.eyJhdWQi.c2ln";

    assert.equal(masking.masked(`a.b-${token}.end, ${token} "${token}"`), `a.b-${MASK}.end, ${MASK} "${MASK}"`);
    assert.equal(masking.masked("eyJ.a.b xeyJab.cd.ef eyJab..cd eyJab.cd"), "eyJ.a.b xeyJab.cd.ef eyJab..cd eyJab.cd");
  });

  it("ends with texts that are made to be slow", () => {
    const text = "-eyJ".repeat(250_000);

    assert.equal(new Masking().masked(text), text);
  });

  it("leaves txIDs and words alone", () => {
    const masking = new Masking();
    masking.remember("short");
    masking.remember("");

    assert.equal(masking.masked(`${TX_ID} is short`), `${TX_ID} is short`);
  });
});
