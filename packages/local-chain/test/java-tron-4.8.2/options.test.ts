import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testChain } from "../../../../test/support/chain/test-chain.ts";
import { readCommandLine } from "../../src/command-line.ts";
import { ChainFolder } from "../../src/data/chain-folder.ts";
import { createSimulation, type LocalChainOptions } from "../../src/simulation/simulation.ts";

describe("the version of the imitated node", () => {
  it("is told on the command line", async () => {
    const line = await readCommandLine(["--node-version", "4.8.2"]);
    assert.equal(line.kind === "start" && line.options.nodeVersion, "4.8.2");
    await assert.rejects(
      readCommandLine(["--node-version", "4.9"]),
      /--node-version has to be 4\.8\.0 or 4\.8\.2, not "4\.9"\./,
    );
  });

  it("is 4.8.0, and on a chain like Mainnet 4.8.2 with the proposals that are in force there", async () => {
    const parameters = async (options: LocalChainOptions): Promise<unknown[]> => {
      const { simulation } = await testChain(options);
      const { chain } = simulation;
      return [
        chain.nodeVersion,
        chain.produceBlock().header.version,
        chain.parameters.getAllowTvmOsaka,
        chain.parameters.getAllowHardenResourceCalculation,
        chain.parameters.getAllowHardenExchangeCalculation,
      ];
    };
    assert.deepEqual(await parameters({}), ["4.8.0", 32, undefined, undefined, undefined]);
    assert.deepEqual(await parameters({ nodeVersion: "4.8.2" }), ["4.8.2", 36, 1, 1, 1]);
    assert.deepEqual(await parameters({ likeMainnet: true }), ["4.8.2", 36, 1, 0, 0]);
    assert.deepEqual((await parameters({ likeMainnet: true, nodeVersion: "4.8.0" })).slice(0, 2), ["4.8.0", 32]);
  });

  it("is kept in the folder of a chain; one from before there were two has 4.8.0", async () => {
    const path = mkdtempSync(join(tmpdir(), "finality-version-"));
    const opened = async (options: LocalChainOptions): Promise<string> => {
      const folder = new ChainFolder(path, { blockTimeMs: 0, ...options });
      const simulation = await createSimulation(folder.options);
      folder.resume(simulation);
      folder.close();
      return simulation.chain.nodeVersion;
    };
    try {
      assert.equal(await opened({ nodeVersion: "4.8.2" }), "4.8.2");
      assert.equal(await opened({}), "4.8.2");
      await assert.rejects(opened({ nodeVersion: "4.8.0" }), /nodeVersion/);
      rmSync(path, { recursive: true });
      assert.equal(await opened({}), "4.8.0");
      const setup = join(path, "chain.json");
      const { nodeVersion: _, ...old } = JSON.parse(readFileSync(setup, "utf8")) as { nodeVersion: string };
      writeFileSync(setup, JSON.stringify(old));
      assert.equal(await opened({}), "4.8.0");
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});
