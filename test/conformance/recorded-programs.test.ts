import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { NodeVersion } from "../../packages/local-chain/src/chain/parameters.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import type { JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { type ContractFixture, contractFixture } from "../support/chain/contract-fixture.ts";
import { howOften } from "../support/random/how-often.ts";
import { checkTracedCall, checkTracesOf } from "../support/traces/traced-chain.ts";

/** One step of a recorded case. Amounts in sun. */
interface ProgramStep {
  readonly do: "fund" | "deploy" | "call" | "const" | "estimate";
  readonly from?: string;
  readonly to?: string;
  /** Name of the deployed contract, `C` by default. */
  readonly as?: string;
  readonly code?: string;
  readonly data?: string;
  readonly callValue?: number;
  readonly feeLimit?: number;
  readonly percent?: number;
}

/** The accounts of a chain by their names in the cases. */
const ACCOUNTS = ["S", "T", "D", "E1"];
/** One of so many cases is played. */
const EACH = howOften(4, 1);
const FUNDS = 1_000_000_000_000;

describe("traces of recorded programs", () => {
  for (const version of ["4.8.0", "4.8.2"] as const) {
    it(`equal the receipts and answers of java-tron ${version}`, async function () {
      this.timeout(120_000);
      const contracts = await contractFixture({ getMaxCpuTimeOfOneTx: 400 }, { nodeVersion: version, accounts: 4 });
      const counts = { refused: 0, calls: 0 };
      const cases = readCases(version).filter((_, index) => index % EACH === 0);
      for (const steps of cases) await play(contracts, steps, counts);
      const transactions = checkTracesOf(contracts.chain.simulation.chain, version);
      assert.ok(
        transactions > 2 * cases.length && counts.calls > cases.length / 2,
        JSON.stringify({ ...counts, transactions }),
      );
    });
  }
});

function readCases(version: NodeVersion): readonly (readonly ProgramStep[])[] {
  const text = readFileSync(new URL(`../fixtures/programs/${version}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { steps: readonly ProgramStep[] }).steps);
}

/** Runs the steps of a case, and checks the traces of its constant calls and estimates. */
async function play(
  contracts: ContractFixture,
  steps: readonly ProgramStep[],
  counts: { refused: number; calls: number },
): Promise<void> {
  const { chain } = contracts;
  const addresses = new Map(chain.accounts.map(({ hex }, index) => [ACCOUNTS[index] ?? "", hex.slice(2)]));
  const fill = (text = ""): string =>
    text.replace(
      /<(\w+)>/g,
      (_, name: string) => addresses.get(name) ?? Buffer.from(name).toString("hex").padEnd(40, "7"),
    );
  for (const { hex } of chain.accounts) await chain.ask("/local/fund", { address: hex, amount: FUNDS });
  for (const { do: kind, from = "S", to = "C", as = "C", callValue = 0, ...step } of steps) {
    const sending = { from: ACCOUNTS.indexOf(from), value: callValue, feeLimit: step.feeLimit ?? 1_000_000_000 };
    const address = parseAddress(`41${addresses.get(to) ?? "0".repeat(40)}`);
    try {
      if (kind === "deploy") {
        const deployed = await contracts.deploy(fill(step.code), { ...sending, percent: step.percent ?? 100 });
        addresses.set(as, deployed.address.slice(2));
      }
      if (kind === "call") await contracts.call(address, fill(step.data), sending);
    } catch {
      // Accounts with other balances than the recorded ones cannot send everything.
      counts.refused += 1;
    }
    if (kind !== "const" && kind !== "estimate") continue;
    const owner = chain.accounts[sending.from]?.hex ?? "";
    const call: JsonObject = {
      owner_address: owner,
      contract_address: address,
      data: fill(step.data),
      call_value: callValue,
    };
    const path = kind === "const" ? "triggerconstantcontract" : "estimateenergy";
    if (await checkTracedCall(call, await contracts.ask(path, call), chain)) counts.calls += 1;
  }
}
