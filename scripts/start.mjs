// `npm start [-- --port N --chain-port N]`: the embedded chain, and the workbench with the packed extension
// and a sample workspace.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build/bundles.mjs";
import { endChildren, endChildrenOnSignals } from "./children.mjs";
import { installWorkbench } from "./install/workbench.mjs";
import { startLocalChain } from "./local-chain.mjs";
import { packedOnce } from "./package/pack.mjs";
import { freePort } from "./ports.mjs";
import { deploySamples, sampleWorkspace } from "./sample-workspace.mjs";
import { startWorkbench } from "./workbench/server.mjs";

const root = join(import.meta.dirname, "..");
// The same addresses every day: the browser keeps what the workbench stores, secrets too, by address.
const PREFERRED = { workbench: 9470, chain: 9471 };

const { values } = parseArgs({ options: { port: { type: "string" }, "chain-port": { type: "string" } } });
endChildrenOnSignals();

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await endChildren();
  process.exit(1);
}

async function start() {
  await installWorkbench();
  const { notices } = await build(root);
  for (const notice of notices) console.error(`build: ${notice}`);
  const chain = await startLocalChain(root, await portFor(values["chain-port"], PREFERRED.chain));
  if (chain !== undefined) await deploySamples(chain.baseUrl);
  const workbench = await startWorkbench({
    dataDir: join(root, ".cache", "start", "data"),
    port: await portFor(values.port, PREFERRED.workbench),
    folder: sampleWorkspace(root),
    packages: [await packedOnce(root)],
    env: chain === undefined ? {} : { FINALITY_DEV_CHAIN: chain.readyLine },
    logFile: join(root, ".cache", "logs", "start.log"),
  });
  console.log(`Workbench  ${workbench.url}`);
  if (chain !== undefined) console.log(`Local chain ${chain.baseUrl}`);
  console.error("Ctrl-C ends both.");
}

/**
 * @param {string | undefined} asked
 * @param {number} preferred
 */
async function portFor(asked, preferred) {
  if (asked === undefined) return await freePort(preferred);
  const port = Number(asked);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`"${asked}" is no port.`);
  return port;
}
