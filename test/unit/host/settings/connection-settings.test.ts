import assert from "node:assert/strict";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../../src/host/settings/connection-settings.ts");
const { proxySecrets, proxySettings } = await loadWithEditor<TestedModule>("src/host/settings/connection-settings.ts");

const settings = (values: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) =>
  proxySettings({ setting: (name) => values[name], env });

describe("proxySettings", () => {
  it("uses the proxy of VS Code, and the exceptions of VS Code and environment", () => {
    const { proxy, noProxy } = settings(
      { proxy: " http://proxy.test:3128 ", noProxy: ["chain.test"] },
      { HTTPS_PROXY: "http://other.test", NO_PROXY: "a.test, .b.test" },
    );

    assert.equal(proxy, "http://proxy.test:3128");
    assert.deepEqual(noProxy, ["chain.test", "a.test", ".b.test"]);
    assert.equal(settings({ proxy: "" }, { https_proxy: "http://low.test" }).proxy, "http://low.test");
    assert.equal(settings({}, { HTTP_PROXY: "http://plain.test", HTTPS_PROXY: "" }).proxy, "http://plain.test");
    assert.deepEqual(settings({}), {});
    assert.deepEqual(
      settings({ proxySupport: "off", proxy: "http://proxy.test" }, { HTTPS_PROXY: "http://a.test" }),
      {},
    );
  });

  it("rejects a malformed proxy URL without its password", () => {
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

  it("proxySecrets returns the password in every form", () => {
    const secrets = proxySecrets(settings({ proxy: "http://user:geheim%2D4711@proxy.test" }));
    const header = `Basic ${Buffer.from("user:geheim-4711").toString("base64")}`;

    for (const form of ["geheim%2D4711", "geheim-4711", header.slice(6)]) assert.ok(secrets.includes(form), form);
    for (const form of [header, header.slice(6), "geheim-4711"])
      assert.ok(proxySecrets(settings({ proxy: "http://p.test", proxyAuthorization: header })).includes(form), form);
    assert.deepEqual(proxySecrets({}), []);
  });
});
