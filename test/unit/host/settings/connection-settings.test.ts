import assert from "node:assert/strict";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../../src/host/settings/connection-settings.ts");
const { proxySecrets, proxySettings } = await loadWithEditor<Parts>("src/host/settings/connection-settings.ts");

const settings = (values: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) =>
  proxySettings({ setting: (name) => values[name], env });

describe("the proxy", () => {
  it("is that of the editor, with the hosts that editor and environment ask directly", () => {
    const { proxy, noProxy } = settings(
      { proxy: " http://proxy.test:3128 ", noProxy: ["chain.test"] },
      { HTTPS_PROXY: "http://other.test", NO_PROXY: "a.test, .b.test" },
    );

    assert.equal(proxy, "http://proxy.test:3128");
    assert.deepEqual(noProxy, ["chain.test", "a.test", ".b.test"]);
  });

  it("is that of the environment where the editor has none", () => {
    assert.equal(settings({ proxy: "" }, { https_proxy: "http://low.test" }).proxy, "http://low.test");
    assert.equal(settings({}, { HTTP_PROXY: "http://plain.test", HTTPS_PROXY: "" }).proxy, "http://plain.test");
    assert.deepEqual(settings({}), {});
  });

  it("is none where the editor's support is off", () => {
    assert.deepEqual(
      settings({ proxySupport: "off", proxy: "http://proxy.test" }, { HTTPS_PROXY: "http://a.test" }),
      {},
    );
  });

  it("is refused with its location if it is not the URL of a proxy, without its password", () => {
    for (const [name, text] of [
      ["http.proxy", "user:geheim-4711@proxy.test:3128"],
      ["http.proxy", "socks5://user:geheim-4711@proxy.test"],
      ["HTTPS_PROXY", "ftp://user:geheim-4711@proxy.test"],
    ] as const) {
      const values = name === "http.proxy" ? { proxy: text } : {};
      assert.throws(
        () => settings(values, name === "http.proxy" ? {} : { [name]: text }),
        (error) =>
          isChainError(error) &&
          error.code === "SETTING_MALFORMED" &&
          error.details.setting === name &&
          !JSON.stringify([error.message, error.details]).includes("geheim"),
        text,
      );
    }
  });

  it("has a password that no text may show, in every form in which it travels", () => {
    const secrets = proxySecrets(settings({ proxy: "http://user:geheim%2D4711@proxy.test" }));
    const header = `Basic ${Buffer.from("user:geheim-4711").toString("base64")}`;

    for (const form of ["geheim%2D4711", "geheim-4711", header.slice(6)]) assert.ok(secrets.includes(form), form);
    for (const form of [header, header.slice(6), "geheim-4711"])
      assert.ok(proxySecrets(settings({ proxy: "http://p.test", proxyAuthorization: header })).includes(form), form);
    assert.deepEqual(proxySecrets({}), []);
  });
});
