// Measures a hover on a line of 10,000 characters, and indexing of 2,000 artifacts of 200 MB: the longest time
// that it blocks the calling thread, and the time that one file would block it without a worker.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explain } from "../../packages/client/src/explain/explain.ts";
import { rangeAt, windowAt } from "../../packages/client/src/explain/explained-range.ts";
import { threadTimeMs } from "../../packages/node/src/system-clock.ts";
import { selectorOf } from "../../packages/tron/src/abi/abi-signature.ts";
import { summarise } from "../../packages/tron/src/abi/artifacts/artifact.ts";
import { ArtifactIndex } from "../../packages/tron/src/abi/artifacts/artifact-index.ts";
import { readArtifact } from "../../packages/tron/src/abi/artifacts/read-artifact.ts";
import { ArtifactReader } from "../../src/host/artifacts/artifact-reader.ts";
import { generatedArtifact } from "../support/samples/generated-artifacts.ts";

const FILES = 2_000;
const BYTES = 100_000;
const LARGE_FILES = 200;
const LINE = 10_000;
const WORKER = join(import.meta.dirname, "../../dist/artifact-worker.js");

const folder = mkdtempSync(join(tmpdir(), "finality-artifacts-"));
try {
  const places = writeArtifacts();
  const index = await buildIndex(places);
  reportHovers(index);
  reportOneThread();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Most are as compilers write them; some hold a whole build, and are 50 times as long. */
function writeArtifacts() {
  mkdirSync(join(folder, "artifacts"));
  return Array.from({ length: FILES }, (_, at) => {
    const path = `artifacts/G${at}.json`;
    const file = join(folder, path);
    writeFileSync(file, at % LARGE_FILES === 7 ? wholeBuild(at) : generatedArtifact(at, BYTES));
    return { path, file };
  });
}

function wholeBuild(at: number, length = 50): string {
  const contracts = Array.from({ length }, (_, part) => {
    const { contractName, abi, bytecode } = JSON.parse(generatedArtifact(at * 1_000 + part, BYTES));
    return [contractName, { abi, evm: { bytecode: { object: bytecode.slice(2) } } }];
  });
  return JSON.stringify({ contracts: { "all.sol": Object.fromEntries(contracts) } });
}

async function buildIndex(places: ReturnType<typeof writeArtifacts>): Promise<ArtifactIndex> {
  const index = new ArtifactIndex();
  const reader = new ArtifactReader(WORKER);
  const longestTurn = watchTurns();
  const started = performance.now();
  for (const place of places) await reader.takeIn(place, index);
  const took = performance.now() - started;
  const kept = longestTurn();
  await reader.close();
  const megabytes = places.reduce((sum, { file }) => sum + readFileSync(file).length, 0) / 1e6;
  console.log(
    `ABI index: ${FILES.toLocaleString("en-US")} artifacts, ${megabytes.toFixed(0)} MB, ${index.contracts.length} contracts in ` +
      `${(took / 1000).toFixed(1)} s; this thread was kept for at most ${kept.toFixed(1)} ms at a time`,
  );
  return index;
}

function watchTurns(): () => number {
  let longest = 0;
  let last = threadTimeMs();
  let ended = false;
  const turn = (): void => {
    const now = threadTimeMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    ended = true;
    return longest;
  };
}

function reportOneThread(): void {
  const text = wholeBuild(FILES, 300);
  const started = threadTimeMs();
  const reading = readArtifact(text, "artifacts/all.json");
  if (reading.kind === "artifact") summarise("artifacts/all.json", reading.contents, new Map());
  const kept = threadTimeMs() - started;
  console.log(
    `ABI index without a thread of its own: a file of ${(text.length / 1e6).toFixed(0)} MB would keep the host for ${kept.toFixed(0)} ms`,
  );
}

function reportHovers(index: ArtifactIndex): void {
  const answer = '{"code":"SIGERROR","message":"76616c6964617465207369676e6174757265206572726f72"}';
  const revert = `0x${selectorOf("Error5x3(address)")}${"0".repeat(24)}${"ab".repeat(20)}`;
  const shared = `0x${selectorOf("shared3(address,uint256[])")}${"0".repeat(63)}1`;
  for (const [what, text] of [
    ["a failed answer", answer],
    ["revert data", revert],
    ["a selector that 2,000 contracts share", shared],
    ["open braces", "{".repeat(400)],
    ["nothing", "plain words"],
  ] as const) {
    const line = `${"word ".repeat(LINE / 5).slice(0, LINE - text.length)}${text}`;
    const times = Array.from({ length: 30 }, () => hoverTime(line, index)).sort((a, b) => a - b);
    const [median, worst] = [times[15] ?? 0, times.at(-1) ?? 0];
    console.log(
      `hover on ${what} in a line of ${LINE.toLocaleString("en-US")}: median ${median.toFixed(2)} ms, worst ${worst.toFixed(2)} ms`,
    );
  }
}

function hoverTime(line: string, index: ArtifactIndex): number {
  const started = performance.now();
  const window = windowAt({ lineCount: 1, line: () => line }, { line: 0, character: LINE - 5 });
  rangeAt(window.text, window.offset, (input) => explain(input, { abi: index }));
  return performance.now() - started;
}
