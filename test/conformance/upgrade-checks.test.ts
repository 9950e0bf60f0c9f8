import assert from "node:assert/strict";
import { join } from "node:path";
import {
  addedVariables,
  isUpgradeSafe,
  storageCollisions,
  type UpgradeCheck,
} from "../../packages/client/src/contracts.ts";
import type { Json, JsonObject } from "../../packages/tron/src/primitives/json.ts";
import {
  type CompiledVersion,
  findUpgradesCore,
  namespacedInput,
  runUpgradeCheck,
} from "../../src/host/compiler/check-upgrade.ts";
import { howOften } from "../support/random/how-often.ts";
import { runSolc } from "../support/verified-code/solc.ts";
import {
  plantedCollisions,
  safetySituations,
  situationSource,
  upgradeSituations,
} from "../support/verified-code/upgrade-situations.ts";

const root = join(import.meta.dirname, "../..");
const PATH = "contracts/Situations.sol";
const COUNT = howOften(2, Number.POSITIVE_INFINITY);
const collisions = plantedCollisions.slice(0, COUNT);
const verdicts = [...upgradeSituations.slice(0, COUNT), ...collisions];
const safety = safetySituations.slice(0, COUNT);

const SELECTED = [
  ...["abi", "storageLayout", "evm.methodIdentifiers"],
  ...["evm.bytecode.object", "evm.bytecode.linkReferences"],
];

/** Versions of a contract with a namespace of ERC-7201, beside one that the package cannot read. */
const NAMESPACED = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.35;
${[
  ["One", "uint128 a; address b;"],
  ["Good", "uint128 a; address b; uint256 c;"],
  ["Bad", "address b; uint128 a;"],
]
  .map(
    ([name, members]) =>
      `contract ${name} { /// @custom:storage-location erc7201:example.main\n struct Main { ${members} } uint256 plain; }`,
  )
  .join("\n")}
contract Unreadable layout at 1 + 1 {}
contract BuiltIn layout at erc7201("example.other") { uint256 a; }
`;
const MAIN_SLOT = BigInt("0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500");

describe("check of an upgrade by OpenZeppelin's package", function () {
  this.timeout(600_000);
  let input: JsonObject;
  let output: Json;

  const inputOf = (content: string): JsonObject => ({
    language: "Solidity",
    sources: { [PATH]: { content } },
    settings: { outputSelection: { "*": { "*": SELECTED, "": ["ast"] } } },
  });

  before(() => {
    input = inputOf(situationSource(verdicts, safety));
    output = runSolc(input);
  });

  const folder = findUpgradesCore([root]) ?? "";
  const { signal } = new AbortController();
  const version = (name: string): CompiledVersion => ({ input, output, name: `${PATH}:${name}`, release: "0.8.37" });
  const check = async (after: string, before?: string): Promise<UpgradeCheck> => {
    const upgrade = { ...(before && { before: version(before) }), after: version(after), kind: "uups" as const };
    return await runUpgradeCheck(folder, upgrade, signal);
  };

  it("gives OpenZeppelin's verdict for each change of the storage, and names slot and variables of collisions", async () => {
    const wrong: string[] = [];
    let named = 0;
    for (const [at, { title, isSafe, collision }] of verdicts.entries()) {
      const result = await check(`After${at}`, `Before${at}`);
      if (isUpgradeSafe(result) !== isSafe) wrong.push(`${title}: ${JSON.stringify(result)}`);
      const found = storageCollisions(result).map(({ slot, before, after }) =>
        [slot, before.label, after.label].join(),
      );
      if (collision === undefined) continue;
      if (found.includes(collision.join())) named += 1;
      else wrong.push(`${title}: ${found.join("; ")} instead of ${collision.join()}`);
    }
    process.stdout.write(
      `      ${verdicts.length} upgrades, ${wrong.length} wrong; ${named} of ${collisions.length} collisions refused and named\n`,
    );
    assert.deepEqual(wrong, []);
  });

  it("finds what is unsafe behind a proxy", async () => {
    for (const [at, { title, errors }] of safety.entries()) {
      const result = await check(`Safe${at}`);
      assert.deepEqual(
        result.errors.map(({ kind }) => kind),
        errors,
        title,
      );
    }
  });

  it("compares namespaced storage, and names slots and variables of collisions there", async () => {
    const unit = { input: inputOf(NAMESPACED), output: runSolc(inputOf(NAMESPACED)), release: "0.8.37" };
    const changed = await namespacedInput(folder, { ...unit, name: PATH }, signal);
    const namespaced = runSolc(changed ?? assert.fail("no namespace was found"));
    const contract = (name: string): CompiledVersion => ({ ...unit, namespaced, name: `${PATH}:${name}` });
    const compare = (after: string) =>
      runUpgradeCheck(folder, { before: contract("One"), after: contract(after), kind: "transparent" }, signal);

    const good = await compare("Good");
    assert.deepEqual([isUpgradeSafe(good), storageCollisions(good)], [true, []]);
    const added = addedVariables(good).map(({ label, slot }) => [label, BigInt(slot) - MAIN_SLOT]);
    assert.deepEqual(added, [["erc7201:example.main:c", 2n]]);

    const bad = await compare("Bad");
    assert.equal(isUpgradeSafe(bad), false);
    const [first] = storageCollisions(bad);
    assert.deepEqual(
      [BigInt(first?.slot ?? 0) - MAIN_SLOT, first?.before.label, first?.after.label],
      [0n, "erc7201:example.main:a", "erc7201:example.main:b"],
    );
  });

  it("refuses a contract that OpenZeppelin's package cannot read, with its reason, and no other one", async () => {
    const unit = { input: inputOf(NAMESPACED), output: runSolc(inputOf(NAMESPACED)), release: "0.8.37" };
    const checkOf = (name: string) =>
      runUpgradeCheck(folder, { after: { ...unit, name: `${PATH}:${name}` }, kind: "transparent" }, signal);
    const refused = { code: "UPGRADE_REFUSED", message: /Custom storage layout expression/ };
    await assert.rejects(checkOf("Unreadable"), refused);
    assert.equal(isUpgradeSafe(await checkOf("BuiltIn")), true);
  });
});
