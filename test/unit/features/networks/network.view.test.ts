import assert from "node:assert/strict";
import type { CheckResult } from "../../../../packages/client/src/gateway/access/connection-checks.ts";
import type { NetworkProfile } from "../../../../packages/client/src/gateway/network.ts";
import { parseNetworkProfile } from "../../../../packages/client/src/gateway/network-settings.ts";
import {
  describeNetwork,
  editableFields,
  networkPresets,
  networkRow,
  redirectionOf,
  summarizeResults,
} from "../../../../src/features/networks/network.view.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const network = parseNetworkProfile(
  { name: "Main", baseUrl: "https://api.example.org", jwt: true, production: true },
  "network",
);
const finding = (status: CheckResult["status"]): CheckResult => ({ check: "gateway", status, sentence: "It works." });

describe("networkRow", () => {
  it("names the network and its host, and marks the available actions", () => {
    const row = networkRow({ ...network, production: true, explorerUrl: "https://scan.example" }, network.name);

    assert.equal(row.label, network.name);
    assert.match(row.description, /^active · real money · .*[\w.:-]+$/);
    assert.match(row.spoken, new RegExp(`^${network.name}, active, real money, `));
    assert.match(row.contextValue, /^network\+own\+active/);
    assert.ok(row.tooltip.includes("Explorer: https://scan.example"), row.tooltip.join("\n"));
  });

  it("marks the local chain, https and tokens", () => {
    const flagsOf = (change: Partial<NetworkProfile>) =>
      networkRow({ ...network, jwt: false, baseUrl: "http://127.0.0.1:9", ...change }, undefined).contextValue;

    assert.equal(flagsOf({ local: true }), "network+local");
    assert.equal(flagsOf({ baseUrl: "https://shop.example" }), "network+own+https");
    assert.equal(flagsOf({ jwt: true }), "network+own+jwt");
    assert.equal(flagsOf({ keyId: "k1" }), "network+own+jwt");
  });
});

describe("describeNetwork", () => {
  it("shows active networks, real money and JWT, and edits every field but the name", () => {
    assert.deepEqual(describeNetwork(network, "Main"), {
      label: "$(broadcast) Main",
      description: "active · real money · JWT",
      detail: "https://api.example.org",
    });
    assert.match(describeNetwork({ ...network, local: true }, undefined).label, /beaker/);
    const fields = editableFields(network).map(({ field }) => field);

    assert.equal(fields.includes("baseUrl") && fields.includes("keyId") && fields.includes("production"), true);
    assert.equal((fields as readonly string[]).includes("name"), false);
    assert.equal(editableFields(network).find(({ field }) => field === "audience")?.description, "not set");
  });
});

describe("summarizeFindings", () => {
  it("returns the overall result", () => {
    assert.equal(summarizeResults("Main", [finding("ok")]), "Main works");
    assert.equal(summarizeResults("Main", [finding("ok"), finding("warning")]), "Main works, with a warning");
    assert.equal(summarizeResults("Main", [finding("warning"), finding("failed")]), "Main does not work yet");
  });
});

describe("networkPresets", () => {
  it("are valid with the values that they ask for", () => {
    for (const { profile, asks } of networkPresets) {
      const asked = asks.includes("baseUrl") ? { baseUrl: "https://api.example.org" } : {};
      const { local: _, ...rest } = { name: "Some", ...profile, ...asked };
      assert.equal(parseNetworkProfile(rest, "network").local, false);
    }
    assert.equal(new Set(networkPresets.map(({ id }) => id)).size, networkPresets.length);
    assert.deepEqual(
      networkPresets.filter(({ profile }) => profile.production === true).map(({ id }) => id),
      ["trongrid-mainnet"],
    );
  });
});

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

describe("redirectionOf", () => {
  it("H7: reports a change that sends keys to another origin", () => {
    for (const change of CHANGES) {
      const redirection = redirectionOf(NETWORK, { ...NETWORK, ...change }, KEYS);

      assert.match(redirection?.detail ?? "", / → /, JSON.stringify(change));
      const isElsewhere = JSON.stringify(change).includes("evil");
      assert.deepEqual(redirection?.newOrigins, isElsewhere ? ["https://evil.test"] : []);
    }
  });

  it("H7: reports a change of a network of real money, with or without keys", () => {
    const money = { ...NETWORK, production: true };

    assert.ok(redirectionOf(money, { ...money, baseUrl: "https://evil.test" }, NO_KEYS));
    assert.ok(redirectionOf(money, { ...money, production: false }, NO_KEYS));
  });

  it("ignores a change without keys and real money", () => {
    for (const change of CHANGES) assert.equal(redirectionOf(NETWORK, { ...NETWORK, ...change }, NO_KEYS), undefined);
  });

  it("A4: reports audience, JWT and explorer, and every change by a program", () => {
    const change = { explorerUrl: "https://scan.test", audience: "a.test", jwt: true };
    for (const [field, value] of Object.entries(change)) {
      const next = { ...NETWORK, [field]: value };
      assert.match(redirectionOf(NETWORK, next, KEYS)?.detail ?? "", / → /, field);
    }
    const money = { ...NETWORK, production: true };
    assert.match(redirectionOf(money, { ...money, ...change }, NO_KEYS)?.detail ?? "", /scan\.test/);
    for (const change of CHANGES) {
      const redirection = redirectionOf(NETWORK, { ...NETWORK, ...change }, NO_KEYS, true);
      assert.match(redirection?.detail ?? "", / → /, JSON.stringify(change));
    }
  });
});
