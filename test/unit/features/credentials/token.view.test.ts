import assert from "node:assert/strict";
import { describeToken, type InspectedToken } from "../../../../src/features/credentials/token.view.ts";

const NOW = Date.UTC(2026, 10, 23, 21, 30, 0);
const token: InspectedToken = {
  network: "Bank",
  key: "Laptop",
  header: { alg: "RS256", typ: "JWT", kid: "key-1" },
  payload: { aud: "bank.test", exp: NOW / 1000 + 60 },
  local: NOW,
  server: NOW,
  head: NOW - 3_000,
};
const lineWith = (words: string, change: Partial<InspectedToken> = {}): string =>
  describeToken({ ...token, ...change })
    .split("\n")
    .find((it) => it.includes(words)) ?? "";

describe("a token to read", () => {
  it("shows header and payload with what they mean", () => {
    assert.match(lineWith("kid"), /^ {2}kid {2}key-1 +of the JWT key “Laptop”$/);
    assert.match(lineWith("aud"), /^ {2}aud {2}bank\.test +the service that it is for$/);
    assert.match(lineWith("exp"), /^ {2}exp {2}\d+ +2026-11-23 21:31:00 UTC$/);
  });

  it("compares its end with every clock, and says how far they are apart", () => {
    assert.match(lineWith("this computer"), /21:30:00 UTC: the token ends in 60 s$/);
    assert.match(
      lineWith("clock of the newest block"),
      /21:29:57 UTC, 3 s behind this computer: the token ends in 63 s$/,
    );
    assert.match(
      lineWith("clock of the gateway", { server: NOW + 94_000 }),
      /1 min 34 s ahead of this computer: the token has ended by it, so it is dropped$/,
    );
    const { server: _, ...silent } = token;
    assert.match(describeToken(silent), /clock of the gateway +not known: the gateway did not say/);
  });

  it("says what it means that it has no end", () => {
    const text = describeToken({ ...token, payload: { aud: "bank.test" } });
    assert.match(text, /exp {2}left out: whoever gets hold of this token can use it until its key record is removed/);
    assert.equal(/the token ends/.test(text), false);
  });

  it("shows hostile texts in one line, with what cannot be seen", () => {
    const text = describeToken({ ...token, header: { kid: "a\nexp  9\u202e" } });
    assert.equal(text.split("\n").filter((it) => it.startsWith("  exp")).length, 1);
    assert.equal(text.includes("\u202e"), false);
  });
});
