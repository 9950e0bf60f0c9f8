import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { createYielder } from "../../packages/client/src/gateway/clock.ts";
import { endpoints } from "../../packages/client/src/gateway/http/endpoints.ts";
import { readAnswer, readInPieces } from "../../packages/client/src/gateway/wire/answer.ts";
import { blocksInPieces } from "../../packages/client/src/gateway/wire/block.ts";
import { systemClock } from "../../packages/node/src/system-clock.ts";
import type { Hex, TxId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { recoverAddress } from "../../packages/tron/src/transaction/signature.ts";
import { findInRecordings } from "../support/recorded/exchanges.ts";
import { report } from "./row.ts";

const BLOCKS = 100;
/** As many as a busy block of the main network. */
const FULL = 200;
const ROUNDS = 5;

/**
 * A real block, filled up with its own transactions: what is checked of each is the same, only the root is another one
 * in the end.
 */
function fullBlock(): JsonObject {
  const recorded = findInRecordings((it) => isJsonObject(it.block_header) && Array.isArray(it.transactions));
  const block = recorded.find(({ visible }) => !visible)?.value;
  const transactions = block?.transactions;
  if (!Array.isArray(transactions)) throw new Error("No block with transactions was recorded.");
  return {
    ...block,
    transactions: Array.from({ length: FULL }, (_, index) => transactions[index % transactions.length]),
  };
}

const body = JSON.stringify({ block: Array.from({ length: BLOCKS }, fullBlock) });
const plain = best(() => JSON.parse(body));
const ours = best(() => readAnswer({ endpoint: "bench", body }, endpoints.solidBlocks.parse));
const [block] = readAnswer({ endpoint: "bench", body }, endpoints.solidBlocks.parse);
const { hash, signature } = block?.seal ?? { hash: "", signature: "" };
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// The clock of the host keeps no process alive.
const alive = setInterval(() => undefined, 1_000);
await readInPieces({ endpoint: "bench", body }, blocksInPieces, createYielder(systemClock));
delay.disable();
clearInterval(alive);
const signer = best(() => recoverAddress(hash as Hex as TxId, signature as Hex));
console.log(
  `${BLOCKS} blocks of ${FULL} transactions, ${(body.length / 1e6).toFixed(1)} MB: read with ids and roots checked ${ours.toFixed(0)} ms, ` +
    `parsed as JSON ${plain.toFixed(0)} ms, ratio ${(ours / plain).toFixed(1)}; ` +
    `in turns the thread is kept for ${(delay.percentile(90) / 1e6).toFixed(0)} ms at 90 %, ${(delay.max / 1e6).toFixed(0)} ms at most (the JSON); one signature of a witness ${signer.toFixed(2)} ms`,
);

report({
  area: "tracking",
  what: `read ${BLOCKS} full blocks of a proof`,
  meaning: "Time of a proof of absence per downloaded block.",
  peer: "`JSON.parse` of the same answer",
  unit: "ms",
  better: "less",
  ours,
  theirs: plain,
  reason: "the id of every transaction and the Merkle root of every block are computed and compared",
});

/** The shortest of some rounds; ms. */
function best(work: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - begun);
  }
  return shortest;
}
