import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { TronWeb } from "tronweb";
import type { ReadyLine } from "../../packages/local-chain/src/main.ts";
import { pollForNone, TrackingLoad, type WaitingCost, waitForNone } from "../support/tracking/tracking-load.ts";
import { report } from "./row.ts";

const COUNT = 1_000;
const WAITING = 10_000;
const IDLE_BLOCKS = 20;
const POLLED_ROUNDS = 2;
const CHAIN = join(import.meta.dirname, "../../packages/local-chain/src/main.ts");

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

  report({
    area: "tracking",
    what: `follow ${COUNT.toLocaleString("en-US")} transactions until they are final`,
    meaning: "Requests that count against the limit of a gateway.",
    peer: "polling each by TronWeb",
    unit: "requests",
    better: "less",
    ours: ours.requests,
    theirs: polling.requests,
  });

  const waiting = await waitForNone(ready, WAITING, IDLE_BLOCKS);
  const polled = await pollForNone(ready, { count: WAITING, rounds: POLLED_ROUNDS }, isFinal);
  console.log(
    `waiting for ${WAITING.toLocaleString("en-US")} that do not come: ours ${describe(waiting)}; polling ${describe(polled)}`,
  );
  report({
    area: "tracking",
    what: `wait for ${WAITING.toLocaleString("en-US")} that do not come, a block`,
    meaning: "Cost of many open transactions between events.",
    peer: "polling each by TronWeb",
    unit: "requests",
    better: "less",
    ours: perBlockOf(waiting),
    theirs: perBlockOf(polled),
  });
} finally {
  child.kill("SIGTERM");
}

function perBlockOf({ requests, blocks }: WaitingCost): number {
  return requests / Math.max(1, blocks);
}

function describe({ requests, blocks, heap, cpu }: WaitingCost): string {
  const [perBlock, megabytes, percent] = [requests / Math.max(1, blocks), heap / 1_000_000, cpu * 100];
  return `${perBlock.toFixed(2)} requests a block, ${megabytes.toFixed(1)} MB, ${percent.toFixed(2)} % of a core`;
}
