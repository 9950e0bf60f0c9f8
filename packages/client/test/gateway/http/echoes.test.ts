import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { CREDENTIAL_FORMS } from "../../../../../test/support/http/credential-forms.ts";
import { echoRemover, secretsOfToken } from "../../../src/gateway/http/echoes.ts";

const KEY = `Api/key+${randomBytes(12).toString("base64url")}"&=`;
const TOKEN = `eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJjaGFpbiJ9.${randomBytes(256).toString("base64url")}`;

describe("the remover of echoes", () => {
  for (const [form, write] of Object.entries(CREDENTIAL_FORMS)) {
    it(`M2: takes credentials out of what came back ${form}`, () => {
      for (const secret of [KEY, TOKEN]) {
        const remove = echoRemover([secret]);
        const echo = write(secret);

        const left = remove(`{"Error":"before ${echo} after"}`);

        assert.match(left, /^\{"Error":"before .{0,9}(?:\*\*\*|2a2a2a).{0,4} after"\}$/s);
      }
    });
  }

  it("M2: takes out the signature of a token alone, without which nobody can use the rest", () => {
    const [, , signature = ""] = TOKEN.split(".");

    assert.equal(echoRemover(secretsOfToken(TOKEN))(`sig=${signature};`), "sig=***;");
  });

  it("M2: takes out the beginning of one that was cut at the end of an answer", () => {
    assert.equal(echoRemover([TOKEN])(`you sent ${TOKEN.slice(0, 300)}`), "you sent ***");
    assert.equal(echoRemover([TOKEN])(`you sent ${TOKEN.slice(0, 300)}…`), "you sent ***");
  });

  it("M2: leaves every other text as it is, to the byte", () => {
    const remove = echoRemover([KEY, ...secretsOfToken(TOKEN), "short"]);
    const texts = ['{"blockID":"00ff","short":1}', "Bearer eyJhbGciOi and so on", "", "\u0000\ud800 ***", KEY.slice(4)];

    for (const text of texts) assert.equal(remove(text), text);
    const block = JSON.stringify({
      transactions: Array.from({ length: 2_000 }, () => randomBytes(600).toString("hex")),
    });
    assert.equal(remove(block), block);
  });

  it("M2: ends with a body that is made to be slow", () => {
    const body = [TOKEN.slice(0, -1).repeat(2_000), "\\".repeat(1_000_000), "a".repeat(1_000_000), "z"].join("!");

    assert.equal(echoRemover([TOKEN, `${"a".repeat(40)}b`])(body).length, body.length);
  });
});
