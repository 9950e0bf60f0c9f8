import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CompiledContracts, energyProfile, lineSources, TraceSources } from "../../../packages/client/src/traces.ts";
import { traceTransaction } from "../../../packages/local-chain/src/traces/trace-runs.ts";
import { parseTxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { contractFixture } from "../../support/chain/contract-fixture.ts";

const samples = join(import.meta.dirname, "../../../samples");
const artifact = readFileSync(join(samples, "build/contracts/Leaf.json"), "utf8");
const source = readFileSync(join(samples, "contracts/Leaf.sol"), "utf8");
const SUPPLY = (10n ** 9n).toString(16).padStart(64, "0");

const TO = "11".repeat(20).padStart(64, "0");

/** Deploys the token of the samples, calls `transfer`, and returns its energy by line. */
async function transferred(value: bigint) {
  const fixture = await contractFixture();
  const { bytecode } = JSON.parse(artifact) as { readonly bytecode: string };
  const { address } = await fixture.deploy(bytecode.replace(/^0x/, "") + SUPPLY);
  const { info, energy } = await fixture.call(address, `a9059cbb${TO}${value.toString(16).padStart(64, "0")}`);
  const id = parseTxId(String(info.id)) ?? assert.fail();
  const trace = traceTransaction(fixture.chain.simulation.chain, id, { steps: true });
  const contracts = new CompiledContracts();
  contracts.put("Leaf.json", artifact);
  const sources = new TraceSources(contracts, () => source);
  return { energy, trace, profile: energyProfile(trace, lineSources(trace, sources)) };
}

describe("energy per line of a transfer", () => {
  it("adds up to the receipt, and has the writes to storage on their lines", async () => {
    const { energy, profile } = await transferred(5n);
    const { lines, total, unknown, functions } = profile;

    assert.equal(total, energy);
    assert.equal(
      lines.reduce((sum, it) => sum + it.energy, unknown),
      energy,
    );
    assert.ok(unknown < energy / 20, `${unknown} of ${energy} has no line`);
    const texts = source.split("\n");
    const largest = [...lines].sort((a, b) => b.energy - a.energy)[0] ?? assert.fail();
    assert.match(texts[largest.line - 1] ?? "", /balanceOf\[to\]/);
    assert.ok(largest.energy > 20_000 && largest.count === 1, JSON.stringify(largest));
    assert.ok((functions.get("Leaf._move") ?? 0) > energy * 0.8, JSON.stringify([...functions]));
  });

  it("has no line of another function, although the optimizer gave its line to merged code", async () => {
    for (const value of [5n, 2n ** 200n]) {
      const { trace, profile } = await transferred(value);
      assert.equal(trace.result, value === 5n ? "SUCCESS" : "REVERT");
      assert.deepEqual([...profile.functions.keys()].sort(), ["Leaf._move", "Leaf.transfer"]);
      const others = source
        .split("\n")
        .flatMap((text, at) => (/NotAllowed|approve|name = /.test(text) ? [at + 1] : []));
      assert.deepEqual(
        profile.lines.filter(({ line }) => others.includes(line)),
        [],
      );
    }
  });
});
