import assert from "node:assert/strict";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { parseNetworkProfile } from "../../../../src/host/networks/network-settings.ts";
import { PlainHttp } from "../../../../src/host/networks/plain-http.ts";
import { memento } from "../../../support/fakes/fake-editor.ts";

const HOME = "http://192.168.1.20:8090";
const network = (fields: object = {}) => parseNetworkProfile({ name: "Home", baseUrl: HOME, ...fields }, "network");
const unconfirmed = (error: unknown) => isChainError(error) && error.code === "PLAIN_HTTP_UNCONFIRMED";

describe("http in the own network", () => {
  it("is used for what a person allowed, by name and origin, and for nothing else", async () => {
    const plain = new PlainHttp(memento() as never);
    assert.throws(() => plain.checked(network()), unconfirmed);

    await plain.allow(network(), [HOME]);

    assert.deepEqual(plain.checked(network()).plainHttp, [HOME]);
    assert.throws(() => plain.checked(network({ name: "Other" })), unconfirmed);
    assert.throws(() => plain.checked(network({ baseUrl: "http://192.168.1.20:8091" })), unconfirmed);
    assert.throws(() => plain.checked(network({ fallbackUrls: ["http://192.168.1.66:8090"] })), unconfirmed);
    assert.throws(() => plain.checked(network({ name: "__proto__" })), unconfirmed);
  });

  it("is asked again after the network was removed", async () => {
    const plain = new PlainHttp(memento() as never);
    await plain.allow(network(), [HOME]);

    await plain.forget("Home");

    assert.deepEqual(plain.missing(network()), [HOME]);
  });

  it("is no matter of networks that are encrypted, or on this computer", () => {
    const plain = new PlainHttp(memento() as never);

    for (const baseUrl of ["https://api.example.org", "http://127.0.0.1:9090"]) {
      assert.equal(plain.checked(network({ baseUrl })).plainHttp, undefined);
    }
  });

  it("is allowed by no setting: the field is unknown there", () => {
    assert.throws(() => network({ plainHttp: [HOME] }), /plainHttp/);
  });

  it("carries no tokens", () => {
    assert.throws(() => network({ jwt: true }), /sent unencrypted/);
  });
});
