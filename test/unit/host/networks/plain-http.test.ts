import assert from "node:assert/strict";
import { parseNetworkProfile } from "../../../../packages/client/src/gateway/network-settings.ts";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { PlainHttp } from "../../../../src/host/networks/plain-http.ts";
import { memento } from "../../../support/fakes/fake-editor.ts";

const HOME = "http://192.168.1.20:8090";
const network = (fields: object = {}) => parseNetworkProfile({ name: "Home", baseUrl: HOME, ...fields }, "network");
const unconfirmed = (error: unknown) => isChainError(error) && error.code === "PLAIN_HTTP_UNCONFIRMED";

describe("PlainHttp", () => {
  it("allows only the confirmed network and origin", async () => {
    const plain = new PlainHttp(memento() as never);
    assert.throws(() => plain.checked(network()), unconfirmed);

    await plain.allow(network(), [HOME]);

    assert.deepEqual(plain.checked(network()).plainHttp, [HOME]);
    assert.throws(() => plain.checked(network({ name: "Other" })), unconfirmed);
    assert.throws(() => plain.checked(network({ baseUrl: "http://192.168.1.20:8091" })), unconfirmed);
    assert.throws(() => plain.checked(network({ fallbackUrls: ["http://192.168.1.66:8090"] })), unconfirmed);
    assert.throws(() => plain.checked(network({ name: "__proto__" })), unconfirmed);
  });

  it("forgets the permission of a removed network", async () => {
    const plain = new PlainHttp(memento() as never);
    await plain.allow(network(), [HOME]);

    await plain.forget("Home");

    assert.deepEqual(plain.missing(network()), [HOME]);
  });

  it("ignores encrypted and loopback URLs", () => {
    const plain = new PlainHttp(memento() as never);

    for (const baseUrl of ["https://api.example.org", "http://127.0.0.1:9090"]) {
      assert.equal(plain.checked(network({ baseUrl })).plainHttp, undefined);
    }
  });

  it("cannot be allowed by a setting, and forbids JWT", () => {
    assert.throws(() => network({ plainHttp: [HOME] }), /plainHttp/);
    assert.throws(() => network({ jwt: true }), /sent unencrypted/);
  });
});
