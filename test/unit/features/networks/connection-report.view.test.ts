import assert from "node:assert/strict";
import { type CheckResult, checkId } from "../../../../packages/client/src/gateway/access/connection-checks.ts";
import { connectionReport } from "../../../../src/features/networks/connection-report.view.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const KEY = "k3y-of-a-path";
const NETWORK = profileAt(`https://gateway.test/${KEY}`, {
  name: "Main [x](command:y)",
  solidityBaseUrl: `https://gateway.test/${KEY}/solid`,
  fallbackUrls: [`https://b.test/${KEY}`],
});
const NOW = Date.UTC(2026, 0, 1);

function report(...findings: readonly CheckResult[]): string {
  const found = new Map(findings.map((it) => [checkId(it), it]));
  return connectionReport({ network: NETWORK, findings: found, begun: new Set(), phase: "done" }, NOW);
}

describe("the report of a connection test", () => {
  it("has a line for each finding, what failed with its next step", () => {
    const text = report(
      { check: "connection", status: "ok", sentence: "It takes connections.", ms: 12 },
      { check: "head", status: "failed", sentence: "It is old.", nextStep: "Wait." },
    );

    assert.match(text, /2026-01-01T00:00:00\.000Z · no real money · JWT off/);
    assert.match(text, /\[ok\] connection \(12 ms\): It takes connections\.\n\[FAILED\] head: It is old\.\n {4}Wait\./);
  });

  it("shows of URLs the origin alone: some gateways take a key in the path", () => {
    const urls = [NETWORK.baseUrl, NETWORK.solidityBaseUrl, ...NETWORK.fallbackUrls].join(" and ");
    const text = report(
      { check: "gateway", status: "failed", sentence: `${urls} did not answer.` },
      { check: "other-url", of: `https://b.test/${KEY}`, status: "ok", sentence: "It answers." },
    );

    assert.ok(!text.includes(KEY), text);
    assert.match(text, /https:\/\/gateway\.test\/… and https:\/\/gateway\.test\/… and https:\/\/b\.test\/…/);
  });

  it("C1: lets nothing that a server says become a link, an end of the code or hidden", () => {
    const text = report({ check: "tls", status: "failed", sentence: "“```\n[a](https://evil.test)\u202e” vouches." });

    assert.match(text, /^# Main \\\[x\\\]/);
    assert.match(text, /````text\n/);
    assert.ok(!text.includes("\u202e"));
  });
});
