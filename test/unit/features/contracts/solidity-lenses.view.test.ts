import assert from "node:assert/strict";
import { findSolidityContracts } from "../../../../packages/client/src/call-sites/solidity.ts";
import { type LensTarget, solidityLenses } from "../../../../src/features/contracts/solidity-lenses.view.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

const SOURCE = `
interface ILeaf { function pour() external; }
abstract contract Base { function base() public {} }
contract Leaf is Base {
  constructor(uint amount) {}
  function pour(address guest) external payable {}
  function pour(address guest, uint cups) external {}
  function cups() public view returns (uint) { return 0; }
  function hidden() internal {}
}`;

function lensesOf(target: LensTarget | undefined) {
  return solidityLenses(findSolidityContracts(SOURCE), () => target);
}

describe("solidityLenses", () => {
  it("deploys contracts, but no interfaces and abstract contracts", () => {
    const lenses = lensesOf(undefined);

    assert.deepEqual(
      lenses.map(({ title, command, argument }) => [title, command, argument]),
      [["Deploy Leaf", "finality.deployContract", { contract: "Leaf" }]],
    );
    assert.equal(lenses[0]?.offset, SOURCE.indexOf("contract Leaf"));
  });

  it("reads and calls the public functions of a deployed contract, overloaded ones by their signature", () => {
    const [, ...functions] = lensesOf({ network: "Shop", address: ALICE });

    assert.deepEqual(
      functions.map(({ title, argument }) => [title, argument.function]),
      [
        ["Call", "pour(address)"],
        ["Call", "pour(address,uint256)"],
        ["Read", "cups"],
      ],
    );
    assert.deepEqual([...new Set(functions.map(({ argument }) => argument.network))], ["Shop"]);
    assert.match(functions[2]?.tooltip ?? "", /^Reads cups\(\) of T.* on Shop$/);
  });
});
