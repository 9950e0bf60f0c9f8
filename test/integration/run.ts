import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { runTests } from "@vscode/test-electron";
import { build } from "esbuild";
import { packedOnce } from "../../scripts/package/pack.mjs";
import { endStoredChain } from "../../scripts/workbench/stored-chain.mjs";
import { FOR_THE_HOST, writeCompanion } from "../support/workbench/companion.ts";

// Runs test/integration/*.test.ts in a real extension host: in the VS Code that FINALITY_VSCODE names, or else in the
// workbench of scripts/run-in-workbench.mjs. There the extension is installed from its package; the tests come with an
// empty extension of their own. Every run has user data and a workspace of its own. The arguments are parts of file names: `node test/integration/run.ts activation` runs that file alone.

const root = join(import.meta.dirname, "..", "..");
/** Of this run alone: others may go on beside it. */
const bundles = join(root, ".cache", "integration", String(process.pid));

/**
 * The extension host loads CommonJS only, so each test file is bundled; mocha and `vscode` stay what they are there.
 */
async function bundleTests(names: readonly string[]): Promise<string> {
  const files = globSync("test/integration/*.test.ts", { cwd: root })
    .filter((file) => names.length === 0 || names.some((part) => basename(file).includes(part)))
    .sort();
  if (files.length === 0) throw new Error(`No integration test is named like ${names.join(", ")}.`);
  await build({
    absWorkingDir: root,
    entryPoints: ["test/integration/suite.ts", ...files],
    outdir: bundles,
    outExtension: { ".js": ".cjs" },
    ...FOR_THE_HOST,
    mainFields: ["module", "main"],
    external: ["vscode", "mocha"],
    sourcemap: "inline",
  });
  writeCompanion(bundles, "integration");
  return join(bundles, "suite.cjs");
}

/** A desktop VS Code takes packages by a command of its own, before it is started. */
function installInDesktop(program: string, packed: string, folders: readonly string[]): void {
  execFileSync(program, [...folders, "--install-extension", packed], { stdio: "inherit" });
}

/** Returns the ready line of a foreign server that claims to be the local chain. */
function strangersReadyLine(): string {
  const account = { address: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp", privateKey: "c0ffee".padEnd(64, "0") };
  const proof = "5ec2e7".padEnd(64, "0");
  return JSON.stringify({ ready: true, baseUrl: "http://127.0.0.1:1", faucet: account, accounts: [account], proof });
}

function makeWorkspace(scratch: string): string {
  const folder = join(scratch, "workspace");
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.md"), "# A workspace of the integration tests\n");
  return folder;
}

const extensionTestsPath = await bundleTests(process.argv.slice(2));
const packed = await packedOnce(root);
const desktop = process.env.FINALITY_VSCODE;
const scratch = mkdtempSync(join(tmpdir(), "finality-integration-"));
const folders = [`--user-data-dir=${join(scratch, "data")}`, `--extensions-dir=${join(scratch, "extensions")}`];
const userData = join(scratch, "data", desktop === undefined ? "data" : "");
try {
  if (desktop !== undefined) installInDesktop(desktop, packed, folders);
  await runTests({
    vscodeExecutablePath: desktop ?? join(root, "scripts", "run-in-workbench.mjs"),
    extensionDevelopmentPath: bundles,
    extensionTestsPath,
    launchArgs: [makeWorkspace(scratch), ...folders],
    extensionTestsEnv: {
      // The stand-in for VS Code is a script: it has to find this Node, not an older one.
      FINALITY_PACKAGE: packed,
      // A foreign entry there has no effect, and no test depends on it.
      FINALITY_DEV_CHAIN: strangersReadyLine(),
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}`,
      NODE_OPTIONS: "--enable-source-maps",
      FINALITY_ROOT: root,
      FINALITY_STORAGE: join(userData, "User", "globalStorage", "finality.finality"),
      FINALITY_REPORTER: join(root, "scripts", "testing", "summary-reporter.cjs"),
    },
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  if (desktop !== undefined) await endStoredChain(userData);
  for (const folder of [scratch, bundles]) rmSync(folder, { recursive: true, force: true });
}
