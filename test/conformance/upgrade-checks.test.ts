import assert from "node:assert/strict";
import { join } from "node:path";
import {
  isUpgradeSafe,
  readUpgradeCheck,
  storageCollisions,
  type UpgradeCheck,
} from "../../packages/client/src/contracts.ts";
import type { Json, JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { type CompiledVersion, findUpgradesCore, runUpgradeCheck } from "../../src/host/compiler/check-upgrade.ts";
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

describe("check of an upgrade by OpenZeppelin's package", function () {
  this.timeout(600_000);
  let input: JsonObject;
  let output: Json;

  before(() => {
    const selected = [
      "abi",
      "storageLayout",
      "evm.methodIdentifiers",
      "evm.bytecode.object",
      "evm.bytecode.linkReferences",
    ];
    const outputSelection = { "*": { "*": selected, "": ["ast"] } };
    const content = situationSource(verdicts, safety);
    input = { language: "Solidity", sources: { [PATH]: { content } }, settings: { outputSelection } };
    output = runSolc(input);
  });

  const version = (name: string): CompiledVersion => ({ input, output, name: `${PATH}:${name}`, release: "0.8.37" });
  const check = async (after: string, before?: string): Promise<UpgradeCheck> => {
    const folder = findUpgradesCore([root]) ?? "";
    const upgrade = { ...(before && { before: version(before) }), after: version(after), kind: "uups" as const };
    return readUpgradeCheck(JSON.parse(await runUpgradeCheck(folder, upgrade, new AbortController().signal)) as Json);
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
});
