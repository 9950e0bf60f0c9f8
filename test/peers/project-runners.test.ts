import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installSampleProjects } from "../../scripts/install/on-demand.mjs";
import { readForgeOutput } from "../../src/features/test-explorer/forge-output.ts";
import { readMochaOutput } from "../../src/features/test-explorer/mocha-output.ts";
import { runnerCommand } from "../../src/features/test-explorer/projects.ts";
import { startTestChain } from "../../src/host/local-chain/test-chain.ts";
import { runProgram } from "../../src/host/run-program.ts";
import { SAMPLE_PACKAGES, writeCompilerCaches } from "../support/samples/compiler-caches.ts";

const root = join(import.meta.dirname, "../..");
const INSTALL_MS = 600_000;

describe("test runners of the Test Explorer", () => {
  let scratch: string;
  let compilers: Readonly<Record<string, string>>;

  before(async function () {
    this.timeout(INSTALL_MS);
    await installSampleProjects();
    scratch = mkdtempSync(join(tmpdir(), "finality-runners-"));
    compilers = writeCompilerCaches(join(scratch, "home"));
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  for (const [framework, configuration, file, count] of [
    ["hardhat", "hardhat.config.cjs", "test/vault.test.cjs", 4],
    ["tronbox", "tronbox-config.js", "test/token.test.js", 4],
    ["foundry", "foundry.toml", "test/Counter.t.sol", 2],
  ] as const)
    it(`run the sample project of ${framework} on a new chain`, async () => {
      const folder = join(scratch, framework);
      cpSync(join(root, "samples/projects", framework), folder, { recursive: true });
      symlinkSync(SAMPLE_PACKAGES, join(folder, "node_modules"));
      const text = readFileSync(join(folder, configuration), "utf8");
      const command = runnerCommand(framework, file, { name: configuration, text });
      assert.ok(typeof command === "object");
      const chain = await startTestChain(join(root, "packages/local-chain/src/main.ts"), ["--tre"]);
      try {
        const { output } = await runProgram({
          ...command,
          folders: [folder],
          env: { ...compilers, CHAIN_URL: chain.baseUrl, NO_COLOR: "1", FORCE_COLOR: "0" },
          onOutput: () => undefined,
          signal: new AbortController().signal,
        });
        const tests = framework === "foundry" ? readForgeOutput(output) : readMochaOutput(output, file);
        assert.deepEqual(
          tests.map(({ state }) => state),
          Array(count).fill("passed"),
          output,
        );
      } finally {
        await chain.close();
      }
    }).timeout(60_000);
});
