import assert from "node:assert/strict";
import { loadExchanges } from "../../../../../test/support/recorded/exchanges.ts";
import { isChainError } from "../../../../tron/src/errors/chain-error.ts";
import { isJsonObject, type Json, printJson } from "../../../../tron/src/primitives/json.ts";
import { FieldFault, readAnswer } from "../../../src/gateway/wire/answer.ts";
import { parseDeployedContract, parseRequiredEnergy, parseSimulatedRun } from "../../../src/gateway/wire/contract.ts";

const recorded = (name: string): Json => {
  const found = loadExchanges("contracts").find((it) => it.case === name);
  assert.ok(found, name);
  return found.responseBody;
};
const refusal = (name: string, parse: (json: Json) => unknown) => {
  try {
    readAnswer({ endpoint: "https://api.chain.test", body: printJson(recorded(name)) }, parse);
  } catch (error) {
    assert.ok(isChainError(error) && error.code === "NODE_REFUSED", String(error));
    return [error.details.code, error.details.message];
  }
  return assert.fail("it was read");
};

describe("answers about contracts", () => {
  it("S72 a simulated run gives its energy and what it returned", () => {
    const run = parseSimulatedRun(recorded("constant-state-changing"));

    assert.deepEqual([run.reverted, run.energyUsed, run.energyPenalty], [false, 28_057n, 0n]);
    assert.equal(run.returned, `${"0".repeat(63)}6`);
  });

  it("S72 a revert is seen although `result` says true, with and without hex", () => {
    for (const name of ["constant-revert-visible", "constant-deploy-revert"])
      assert.equal(parseSimulatedRun(recorded(name)).reverted, true, name);
    assert.match(parseSimulatedRun(recorded("constant-revert-visible")).returned, /^08c379a0/);
  });

  it("S73 an estimate is the energy that suffices", () => {
    assert.equal(parseRequiredEnergy(recorded("estimate-view")), 604n);
  });

  it("refusals keep the node's code and words", () => {
    assert.deepEqual(refusal("estimate-revert-empty", parseRequiredEnergy), [
      "CONTRACT_EXE_ERROR",
      "REVERT opcode executed",
    ]);
    assert.equal(refusal("constant-contract-missing", parseSimulatedRun)[0], "OTHER_ERROR");
  });

  it("a contract is read from both look-ups, with its ABI as compilers spell it", () => {
    for (const name of ["getcontractinfo", "getcontract"]) {
      const contract = parseDeployedContract(recorded(name));
      assert.ok(contract);
      assert.deepEqual([contract.name, contract.callerPercent, contract.ownerEnergyLimit], ["T", 30n, 10_000_000n]);
      assert.match(contract.created, /^6080604052604051610ddc/);
      const get = contract.abi.find((entry) => entry.name === "assertFail");
      assert.deepEqual(get, {
        inputs: [],
        outputs: [],
        name: "assertFail",
        stateMutability: "nonpayable",
        type: "function",
      });
    }
  });

  it("an ABI with a parameter that has no type, or lies too deep, is no answer", () => {
    const abiOf = (inputs: Json): Json => ({
      ...contract,
      abi: { entrys: [{ type: "Function", name: "order", inputs }] },
    });
    const contract = recorded("getcontract") as { readonly [name: string]: Json };
    let deep: Json = [{ name: "cups", type: "uint256" }];
    for (let depth = 0; depth < 10_000; depth++) deep = [{ type: "tuple", components: deep }];

    for (const inputs of [[{ name: "cups" }], [{ name: "cups", type: 5 }], ["uint256"], deep] satisfies Json[]) {
      assert.throws(() => parseDeployedContract(abiOf(inputs)), FieldFault);
    }
    assert.equal(parseDeployedContract(abiOf([{ type: "uint256" }]))?.abi.length, 1);
  });

  it("an address without a contract has none", () => {
    assert.ok(isJsonObject(recorded("getcontractinfo-unknown")));
    assert.equal(parseDeployedContract(recorded("getcontractinfo-unknown")), undefined);
  });
});
