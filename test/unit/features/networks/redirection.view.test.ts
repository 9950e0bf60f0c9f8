import assert from "node:assert/strict";
import { redirectionOf } from "../../../../src/features/networks/redirection.view.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const NETWORK = profileAt("https://a.test");
const KEYS = { words: "API key", origins: ["https://a.test"] };
const NO_KEYS = { words: undefined, origins: [] };
const CHANGES = [
  { baseUrl: "https://evil.test" },
  { solidityBaseUrl: "https://evil.test" },
  { fallbackUrls: ["https://evil.test"] },
  { apiKeyHeader: "X-OTHER" },
  { production: true },
  { baseUrl: "https://a.test/another/path" },
];

describe("a change of a network", () => {
  it("H7: is asked about when it sends the keys another way, and says from where to where", () => {
    for (const change of CHANGES) {
      const redirection = redirectionOf(NETWORK, { ...NETWORK, ...change }, KEYS);

      assert.match(redirection?.detail ?? "", / → /, JSON.stringify(change));
      const isElsewhere = JSON.stringify(change).includes("evil");
      assert.deepEqual(redirection?.newOrigins, isElsewhere ? ["https://evil.test"] : []);
    }
  });

  it("H7: is asked about when real money goes another way, keys or not", () => {
    const money = { ...NETWORK, production: true };

    assert.ok(redirectionOf(money, { ...money, baseUrl: "https://evil.test" }, NO_KEYS));
    assert.ok(redirectionOf(money, { ...money, production: false }, NO_KEYS));
  });

  it("is not asked about when nothing is at stake", () => {
    for (const change of CHANGES) assert.equal(redirectionOf(NETWORK, { ...NETWORK, ...change }, NO_KEYS), undefined);
    const harmless = { ...NETWORK, explorerUrl: "https://scan.test", audience: "a.test", jwt: true };
    assert.equal(redirectionOf(NETWORK, harmless, KEYS), undefined);
  });
});
