import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  failureKey,
  type RecordedFailure,
  recordedFailures,
} from "../../../../test/support/failures/recorded-failures.ts";
import { candidateFromSignature, createAbiIndex } from "../../../tron/src/abi/abi-index.ts";
import { explain } from "../../src/explain/explain.ts";

const fixtures = new URL("../../../../test/fixtures/", import.meta.url);
const table = JSON.parse(readFileSync(new URL("explanations/recorded-failures.json", fixtures), "utf8")) as {
  readonly [key: string]: string;
};
const source = readFileSync(new URL("scenarios/T.sol", fixtures), "utf8");
const abi = createAbiIndex(
  [...source.matchAll(/\berror (\w+\([^)]*\));/g)].map(([, text = ""]) =>
    candidateFromSignature("error", text, "T.sol"),
  ),
);

const failures = recordedFailures();

function explained({ body, exchange }: RecordedFailure) {
  return explain(body, { status: exchange.status, endpoint: exchange.path, abi });
}

describe("explain recorded failures", () => {
  it("S98 distinguishes all by category and code", () => {
    const wrong = failures
      .map((failure) => ({ failure, actual: explained(failure) }))
      .filter(
        ({ failure: { expected }, actual }) => actual.category !== expected.category || actual.code !== expected.code,
      )
      .map(({ failure, actual }) => `${failure.exchange.case}: ${actual.category} ${actual.code}`);

    assert.ok(failures.length > 300);
    assert.deepEqual(wrong, []);
  });

  it("uses the chosen entry for each, and no generic one", () => {
    const rows = failures.map((failure) => ({ key: failureKey(failure), entry: explained(failure).entry }));

    const wrong = rows.filter(({ key, entry }) => table[key] !== entry || entry.startsWith("generic-"));

    const kinds = new Set(rows.map(({ key }) => key)).size;
    process.stdout.write(
      `        explained ${rows.length - wrong.length} / ${rows.length} failures of ${kinds} kinds\n`,
    );
    assert.deepEqual(wrong, []);
  });

  it("needs no status when the body is sufficient", () => {
    const wrong = failures
      .filter(({ expected, body }) => expected.category !== "http" || body !== "")
      .filter(({ body, expected }) => {
        const { category, code } = explain(body, { abi });
        return category !== expected.category || code !== expected.code;
      });

    assert.deepEqual(
      wrong.map(({ exchange }) => exchange.case),
      [],
    );
  });

  it("S131 refuses the same bytes for each included failure", () => {
    const included = failures.filter(({ exchange }) => /gettransaction(info)?byid/.test(exchange.path));
    const onChain = included.filter(({ expected }) => expected.category === "execution");

    assert.ok(onChain.length > 20);
    assert.deepEqual([...new Set(onChain.map((one) => explained(one).retry.sameBytes))], ["no"]);
  });
});
