import assert from "node:assert/strict";
import {
  type CheckResult,
  checkId,
  planConnection,
} from "../../../../packages/client/src/gateway/access/connection-checks.ts";
import {
  type ConnectionProgress,
  connectionReport,
  describeChecklist,
} from "../../../../src/features/networks/connection-page.view.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const NETWORK = profileAt("https://gateway.test", { name: "Main", jwt: true, fallbackUrls: ["https://b.test"] });
const PLAN = planConnection(NETWORK);

function progress(change: Partial<ConnectionProgress>, ...findings: readonly CheckResult[]): ConnectionProgress {
  const found = new Map(findings.map((it) => [checkId(it), it]));
  return { network: NETWORK, findings: found, begun: new Set(), phase: "running", ...change };
}

const allFine: readonly CheckResult[] = PLAN.map(({ check, of }) => ({
  check,
  ...(of === undefined ? {} : { of }),
  status: "ok",
  sentence: "It works.",
}));
const refused: CheckResult = { check: "api-key", status: "failed", sentence: "It is wrong.", nextStep: "Set it." };

describe("describeChecklist", () => {
  it("lists every check from the start, and marks the running one", () => {
    const { groups, progress: bar, buttons } = describeChecklist(progress({ begun: new Set(["name"]) }));
    const lines = groups.flatMap((it) => it.lines);

    assert.equal(lines.length, PLAN.length);
    assert.deepEqual(
      lines.filter(({ state }) => state !== "waiting").map(({ id, state }) => [id, state]),
      [["name", "running"]],
    );
    assert.deepEqual(bar, { done: 0, total: PLAN.length });
    assert.deepEqual(
      buttons.map(({ label }) => label),
      ["Cancel"],
    );
  });

  it("shows the first failure on top with its fix", () => {
    const { cause, title, state } = describeChecklist(progress({ phase: "done" }, ...allFine, refused));

    assert.equal(title, "Main does not work yet");
    assert.deepEqual([cause?.title, cause?.sentence, cause?.nextStep], ["API key", "It is wrong.", "Set it."]);
    assert.equal(cause?.fix?.label, "Set API Key…");
    assert.match(state.text, /1 failed/);
  });

  it("shows no fix when every check passed", () => {
    const { cause, groups, title, state } = describeChecklist(progress({ phase: "done" }, ...allFine));

    assert.deepEqual([cause, title, state.tone], [null, "Main works", "good"]);
    assert.ok(groups.every(({ lines }) => lines.every(({ fix }) => fix === null)));
  });

  it("names each state in text", () => {
    const lines = describeChecklist(progress({ phase: "done" }, ...allFine, refused)).groups.flatMap((it) => it.lines);

    assert.deepEqual(
      new Set(lines.map(({ state, spoken }) => `${state}: ${spoken}`)),
      new Set(["ok: passed", "failed: failed"]),
    );
  });

  it("offers to accept another chain only when the chain changed", () => {
    const offers = (finding: CheckResult) =>
      describeChecklist(progress({ phase: "done" }, finding)).buttons.some(({ action }) => action === "accept-chain");

    assert.equal(offers({ check: "chain", status: "failed", sentence: "It is another chain." }), true);
    assert.equal(offers({ check: "chain", status: "ok", sentence: "It is the same." }), false);
    assert.equal(offers({ check: "same-chain", status: "failed", sentence: "They differ." }), false);
  });

  it("reports a cancelled test", () => {
    const { title, state } = describeChecklist(progress({ phase: "cancelled" }));

    assert.match(title, /was cancelled/);
    assert.equal(state.tone, "neutral");
  });

  it("folds the optional paths, and counts passed checks per group", () => {
    const { groups } = describeChecklist(progress({ phase: "done" }, ...allFine));

    assert.deepEqual(
      groups.filter(({ folded }) => folded).map(({ id }) => id),
      ["optional"],
    );
    assert.equal(groups.find(({ id }) => id === "paths")?.summary, "10 of 10 passed");
  });
});

const KEY = "k3y-of-a-path";
const SECRET_NETWORK = profileAt(`https://gateway.test/${KEY}`, {
  name: "Main [x](command:y)",
  solidityBaseUrl: `https://gateway.test/${KEY}/solid`,
  fallbackUrls: [`https://b.test/${KEY}`],
});
const NOW = Date.UTC(2026, 0, 1);

function report(...findings: readonly CheckResult[]): string {
  const found = new Map(findings.map((it) => [checkId(it), it]));
  return connectionReport({ network: SECRET_NETWORK, findings: found, begun: new Set(), phase: "done" }, NOW);
}

describe("connectionReport", () => {
  it("lists each result, with the next step of a failure", () => {
    const text = report(
      { check: "connection", status: "ok", sentence: "It accepts connections.", ms: 12 },
      { check: "head", status: "failed", sentence: "It is old.", nextStep: "Wait." },
    );

    assert.match(text, /2026-01-01T00:00:00\.000Z · no real money · JWT off/);
    assert.match(
      text,
      /\[ok\] connection \(12 ms\): It accepts connections\.\n\[FAILED\] head: It is old\.\n {4}Wait\./,
    );
  });

  it("shows only the origin of URLs, because some paths contain a key", () => {
    const urls = [SECRET_NETWORK.baseUrl, SECRET_NETWORK.solidityBaseUrl, ...SECRET_NETWORK.fallbackUrls].join(" and ");
    const text = report(
      { check: "gateway", status: "failed", sentence: `${urls} did not answer.` },
      { check: "other-url", of: `https://b.test/${KEY}`, status: "ok", sentence: "It answers." },
    );

    assert.ok(!text.includes(KEY), text);
    assert.match(text, /https:\/\/gateway\.test\/… and https:\/\/gateway\.test\/… and https:\/\/b\.test\/…/);
  });

  it("C1: escapes texts of the server", () => {
    const text = report({ check: "tls", status: "failed", sentence: "“```\n[a](https://evil.test)\u202e” vouches." });

    assert.match(text, /^# Main \\\[x\\\]/);
    assert.match(text, /````text\n/);
    assert.ok(!text.includes("\u202e"));
  });
});
