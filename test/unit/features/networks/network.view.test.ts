import assert from "node:assert/strict";
import type { Finding } from "../../../../src/core/gateway/access/finding.ts";
import {
  describeFinding,
  describeNetwork,
  editableFields,
  summarizeFindings,
} from "../../../../src/features/networks/network.view.ts";
import { networkPresets } from "../../../../src/features/networks/presets.ts";
import { parseNetworkProfile } from "../../../../src/host/networks/network-settings.ts";

const network = parseNetworkProfile(
  { name: "Main", baseUrl: "https://api.example.org", jwt: true, production: true },
  "network",
);
const finding = (status: Finding["status"]): Finding => ({ check: "gateway", status, sentence: "It is so." });

describe("a network in a list", () => {
  it("says what matters: whether it is active, real money, and uses tokens", () => {
    assert.deepEqual(describeNetwork(network, "Main"), {
      label: "$(broadcast) Main",
      description: "active · real money · JWT",
      detail: "https://api.example.org",
    });
    assert.match(describeNetwork({ ...network, local: true }, undefined).label, /beaker/);
  });

  it("lets every field be edited but the name, which the journal knows it by", () => {
    const fields = editableFields(network).map(({ field }) => field);

    assert.equal(fields.includes("baseUrl") && fields.includes("keyId") && fields.includes("production"), true);
    assert.equal((fields as readonly string[]).includes("name"), false);
    assert.equal(editableFields(network).find(({ field }) => field === "audience")?.description, "not set");
  });
});

describe("the result of a connection test", () => {
  it("begins with the answer", () => {
    assert.equal(summarizeFindings("Main", [finding("ok")]), "Main works");
    assert.equal(summarizeFindings("Main", [finding("ok"), finding("warning")]), "Main works, with a warning");
    assert.equal(summarizeFindings("Main", [finding("warning"), finding("failed")]), "Main cannot be used yet");
  });

  it("gives each finding an icon, and its next step below", () => {
    assert.deepEqual(describeFinding({ ...finding("failed"), nextStep: "Mend it." }), {
      label: "$(error) It is so.",
      detail: "Mend it.",
    });
    assert.deepEqual(describeFinding(finding("ok")), { label: "$(pass) It is so." });
  });
});

describe("the presets", () => {
  it("are networks as soon as what they ask for is there", () => {
    for (const { profile, asks } of networkPresets) {
      const asked = asks.includes("baseUrl") ? { baseUrl: "https://api.example.org" } : {};
      const { local: _, ...rest } = { name: "Some", ...profile, ...asked };
      assert.equal(parseNetworkProfile(rest, "network").local, false);
    }
    assert.equal(new Set(networkPresets.map(({ id }) => id)).size, networkPresets.length);
  });

  it("know which one is real money", () => {
    assert.deepEqual(
      networkPresets.filter(({ profile }) => profile.production === true).map(({ id }) => id),
      ["trongrid-mainnet"],
    );
  });
});
