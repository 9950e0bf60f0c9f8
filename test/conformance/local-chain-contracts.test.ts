import assert from "node:assert/strict";
import { isJsonObject, type JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { type ReplayedAnswer, recordedParts, replayPart } from "../support/recorded/contract-recordings.ts";
import { loadExchanges } from "../support/recorded/exchanges.ts";
import { replayResources } from "../support/recorded/resource-recordings.ts";

/** Recordings whose cases are counted together. */
const FILES = ["contracts", "receipts", "resources", "node2-configs"] as const;
/** Known differences with their reasons. Any other difference fails the test; docs/local-chain.md lists the same. */
const KNOWN: { readonly [name: string]: string } = {
  "receipts/success-energy-penalty-info": "the transaction that it tells of was not recorded",
  "resources/listwitnesses": "the witnesses are others",
};
const MIN_SHARE = 0.97;

describe("embedded chain, with recorded contracts", () => {
  it("answers requests about contracts, receipts, stake and nodes as the real node did", async () => {
    const answers: ReplayedAnswer[] = [];
    for (const part of recordedParts) answers.push(...(await replayPart(part)));
    const resources = await replayResources(loadExchanges("resources"));
    answers.push(...resources.map((it) => ({ ...it, name: `resources/${it.name}` })));

    const counted = answers.filter(({ name }) => FILES.some((file) => name.startsWith(`${file}/`)));
    for (const file of [...FILES, "pending-vs-block"]) report(file, ofFile(answers, file));
    const share = report("contracts, receipts, resources and nodes together", counted);
    list(failed(answers));
    assert.deepEqual(
      failed(answers).filter(({ name }) => KNOWN[name] === undefined),
      [],
    );
    assert.deepEqual(
      Object.keys(KNOWN).sort(),
      failed(answers)
        .map(({ name }) => name)
        .sort(),
      "no other difference is listed",
    );
    for (const name of ["account-delegated-owner", "account-unfreezing"]) {
      const recorded = loadExchanges("resources").find((it) => it.case === name)?.responseBody;
      assert.ok(isJsonObject(recorded));
      assert.deepEqual(
        withoutPermissions(resources.find((it) => it.name === name)?.account ?? {}),
        withoutPermissions(recorded),
      );
    }
    assert.equal(counted.length, FILES.flatMap((it) => loadExchanges(it)).length, "every case was replayed once");
    assert.ok(share >= MIN_SHARE, `${share} match`);
  }).timeout(120_000);
});

/** Removes the fields of an account that differ between the chains. */
function withoutPermissions({ create_time, owner_permission, active_permission, ...account }: JsonObject): JsonObject {
  return account;
}

function report(title: string, answers: readonly ReplayedAnswer[]): number {
  const total = answers.length;
  const matched = total - failed(answers).length;
  const percent = ((100 * matched) / total).toFixed(1);
  process.stdout.write(`      conformance (chain, ${title}): ${matched} / ${total} (${percent} %)\n`);
  return matched / total;
}

function list(mismatches: readonly ReplayedAnswer[]): void {
  for (const { name, found } of mismatches) {
    process.stdout.write(
      `      not matched: ${name} (${KNOWN[name] ?? `UNLISTED: ${found.slice(0, 3).join("; ")}`})\n`,
    );
  }
}

function ofFile(answers: readonly ReplayedAnswer[], file: string): readonly ReplayedAnswer[] {
  return answers.filter(({ name }) => name.startsWith(`${file}/`));
}

function failed(answers: readonly ReplayedAnswer[]): readonly ReplayedAnswer[] {
  return answers.filter(({ found }) => found.length > 0);
}
