import assert from "node:assert/strict";
import { isChainError } from "../../../tron/src/errors/chain-error.ts";
import type { NetworkField, NetworkProfile } from "../../src/gateway/network.ts";
import { parseNetworkProfile, parseNetworks, printNetworkProfile } from "../../src/gateway/network-settings.ts";

const MINIMAL = { name: "Nile", baseUrl: "https://nile.example.org/" };
const FULL = {
  name: "Gateway",
  baseUrl: "https://api.example.org/chain",
  solidityBaseUrl: "https://solid.example.org",
  fallbackUrls: ["https://b.example.org"],
  jwt: true,
  audience: "example.org",
  keyId: "k1",
  apiKeyHeader: "X-KEY",
  production: true,
  explorerUrl: "https://scan.example.org",
} satisfies { readonly [F in NetworkField]: NetworkProfile[F] };

function problem(entry: unknown): { setting: string; reason: string } {
  const { profiles, problems } = parseNetworks([entry]);
  assert.deepEqual(profiles, []);
  const [error] = problems;
  assert.ok(isChainError(error) && error.code === "SETTING_MALFORMED");
  return error.details;
}

describe("parseNetworks", () => {
  it("requires name and URL, and has defaults for other fields", () => {
    assert.deepEqual(parseNetworks([MINIMAL]), {
      problems: [],
      profiles: [
        {
          name: "Nile",
          baseUrl: "https://nile.example.org",
          fallbackUrls: [],
          jwt: false,
          apiKeyHeader: "CHAIN-PRO-API-KEY",
          production: false,
          local: false,
        },
      ],
    });
  });

  it("prints every field as it was read", () => {
    const profile = parseNetworkProfile(FULL, "network");

    assert.deepEqual(profile, { ...FULL, local: false });
    assert.deepEqual(printNetworkProfile(profile), FULL);
    assert.deepEqual(printNetworkProfile(parseNetworkProfile(MINIMAL, "network")), {
      name: "Nile",
      baseUrl: "https://nile.example.org",
    });
  });

  it("A2: rejects names that look equal, and invisible characters", () => {
    const named = (name: string) => ({ name, baseUrl: "https://a.test" });

    for (const name of ["MAINNET", "Main net", "\u041cainnet", "Ｍainnet"]) {
      const { profiles, problems } = parseNetworks([named("Mainnet"), named(name)]);
      assert.deepEqual([profiles.map((it) => it.name), problems.length], [["Mainnet"], 1], name);
    }
    for (const name of ["Mainnet\u200b", "Main\u202enet", "local chain", "LOCAL CHAIN", "Local\u00a0chain"])
      assert.equal(parseNetworks([named(name)]).profiles.length, 0, JSON.stringify(name));
    assert.deepEqual(parseNetworks(undefined), { profiles: [], problems: [] });
  });

  it("names the malformed setting and the reason", () => {
    assert.deepEqual(problem({ ...MINIMAL, baseUrl: "http://nile.example.org" }), {
      setting: "finality.networks[0].baseUrl",
      reason: "http is not encrypted: use https",
    });
    assert.equal(problem({ ...MINIMAL, name: " " }).setting, "finality.networks[0].name");
    assert.equal(problem({ ...MINIMAL, jwt: "on" }).setting, "finality.networks[0].jwt");
    assert.equal(
      problem({ ...MINIMAL, fallbackUrls: ["https://a.test", 7] }).setting,
      "finality.networks[0].fallbackUrls[1]",
    );
    assert.equal(problem({ ...MINIMAL, apiKeyHeader: "a: b" }).setting, "finality.networks[0].apiKeyHeader");
    assert.equal(problem("https://nile.example.org").setting, "finality.networks[0]");
    for (const [field, value, reason] of [
      ["keyId", 7, "it must be text"],
      ["production", "yes", "it must be true or false"],
      ["fallbackUrls", "https://a.test", "it must be a list of URLs"],
      ["name", null, "a network needs a name"],
      ["apiKeyHeader", "a: b", "it must be the name of an HTTP header"],
    ] as const) {
      assert.deepEqual(problem({ ...MINIMAL, [field]: value }), { setting: `finality.networks[0].${field}`, reason });
    }
    assert.equal(problem({ ...MINIMAL, fallbackUrls: [7] }).reason, "it must be a URL");
    assert.equal(problem([]).reason, "a network is an object with at least name and baseUrl");
  });

  it("rejects an unknown field without its value, and the name of the local chain", () => {
    const { setting, reason } = problem({ ...MINIMAL, apiKey: "canary" });

    assert.equal(setting, "finality.networks[0].apiKey");
    assert.equal(reason.includes("canary"), false);
    assert.match(problem({ ...MINIMAL, name: "Local chain" }).reason, /embedded chain/);
  });

  it("keeps valid entries beside malformed and duplicate ones", () => {
    const { profiles, problems } = parseNetworks([{ name: "broken" }, MINIMAL, FULL, MINIMAL]);

    assert.deepEqual(
      profiles.map(({ name }) => name),
      ["Nile", "Gateway"],
    );
    assert.deepEqual(
      problems.map(({ details }) => ("setting" in details ? details.setting : "")),
      ["finality.networks[0].baseUrl", "finality.networks[3].name"],
    );
    assert.equal(parseNetworks({}).problems.length, 1);
  });
});
