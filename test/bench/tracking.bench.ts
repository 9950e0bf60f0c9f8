import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { TronWeb } from "tronweb";
import type { ReadyLine } from "../../src/local-chain/main.ts";
import { TrackingLoad } from "../support/tracking-load.ts";

const COUNT = 1_000;
const CHAIN = join(import.meta.dirname, "../../src/local-chain/main.ts");

const child = spawn(process.execPath, [CHAIN, "--block-time", "3000"], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const [line] = await once(createInterface(child.stdout), "line");
  const ready = JSON.parse(String(line)) as ReadyLine;
  await using load = new TrackingLoad(ready);
  const tronWeb = new TronWeb({ fullHost: ready.baseUrl });
  const isFinal = async (txId: string): Promise<boolean> =>
    Object.keys(await tronWeb.trx.getTransactionInfo(txId)).length > 0;

  const ours = await load.track(COUNT);
  const polling = await load.poll(COUNT, isFinal);

  const perBlock = (ours.requests / ours.blocks).toFixed(2);
  const ratio = (polling.requests / ours.requests).toFixed(0);
  console.log(
    `tracking ${COUNT.toLocaleString("en-US")}: ours ${ours.requests} requests over ${ours.blocks} blocks ` +
      `(${perBlock} per block), polling ${polling.requests}, ratio ${ratio}`,
  );
} finally {
  child.kill("SIGTERM");
}
