import assert from "node:assert/strict";
import { installCompilers } from "../../scripts/install/on-demand.mjs";
import { howOften } from "../support/random/how-often.ts";
import { openZeppelinContracts } from "../support/verified-code/openzeppelin-contracts.ts";
import { CodeOnChain, compared, plantedMismatch, SETTINGS } from "../support/verified-code/planted-mismatches.ts";

const isFull = process.env.FINALITY_RANDOM === "full";
const [EQUAL, MISMATCHES] = [howOften(5, 100), howOften(5, 50)];
/** In the default run, contracts that compile quickly. */
const contracts = openZeppelinContracts.slice(0, howOften(2, openZeppelinContracts.length));

describe("comparison with the source", function () {
  this.timeout(1_800_000);
  const chain = new CodeOnChain();
  before(async () => {
    if (isFull) await installCompilers();
  });

  it("finds contracts equal that were compiled and deployed with varying settings", async () => {
    const different: string[] = [];
    for (let at = 0; at < EQUAL; at += 1) {
      const contract = contracts[at % contracts.length];
      const settings = SETTINGS[Math.floor(at / (EQUAL > 5 ? contracts.length : 1)) % SETTINGS.length];
      if (contract === undefined || settings === undefined) continue;
      const { match } = await compared(await chain.deploy({ contract, settings }), { contract, settings });
      if (match.kind !== "equal")
        different.push(`${contract.name} ${JSON.stringify(settings)}: ${JSON.stringify(match)}`);
    }
    process.stdout.write(`      equal: ${EQUAL - different.length} of ${EQUAL}\n`);
    assert.deepEqual(different, []);
  });

  it("names the cause of planted mismatches", async () => {
    const wrong: string[] = [];
    for (let at = 0; at < MISMATCHES; at += 1) {
      const plant = plantedMismatch(contracts, at);
      const { cause, match, compilations } = await compared(await chain.deploy(plant), plant);
      if (match.kind === "equal" || cause?.kind !== plant.cause)
        wrong.push(
          `${plant.title}: ${JSON.stringify(cause)} (${match.kind}) instead of ${plant.cause}, ${compilations}`,
        );
    }
    process.stdout.write(`      right cause: ${MISMATCHES - wrong.length} of ${MISMATCHES}\n${wrong.join("\n")}\n`);
    assert.ok(wrong.length <= MISMATCHES / 20, wrong.join("\n"));
  });
});
