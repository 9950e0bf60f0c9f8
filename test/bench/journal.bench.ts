import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TransactionTracker } from "../../packages/client/src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../packages/client/src/transaction-state/journal-entry.ts";
import { JournalFile } from "../../packages/node/src/journal/journal-file.ts";
import { systemClock } from "../../packages/node/src/system-clock.ts";
import { hex } from "../../packages/tron/src/primitives/bytes.ts";
import {
  ACCEPTED,
  answeredEntry,
  blockReference,
  signedEntry,
  startedEntry,
} from "../support/tracking/journal-entries.ts";
import { inTurns, report } from "./row.ts";

const TRANSACTIONS = 20_000;
const ROUNDS = 5;
const LIMIT_MS = 1_000;
/** As long as those of a transfer. */
const BYTES = { rawDataHex: hex("0a".repeat(134)), signatures: [hex("ab".repeat(65))] };

/** The five journal entries of a transfer. */
function lifeOf(number: number): readonly JournalEntry[] {
  const signed = signedEntry(number, BYTES);
  const { txId } = { ...signedEntry(number) };
  const block = blockReference(number);
  return [
    { ...signed, txId },
    startedEntry(txId),
    answeredEntry(txId, ACCEPTED),
    { kind: "seen-in-head", txId, at: 2_000, block },
    { kind: "solidified", txId, at: 3_000, block, outcome: { kind: "success" } },
  ];
}

/** On the clock, and of this thread alone: on a busy machine the first says more about the others. */
interface Took {
  readonly wallMs: number;
  readonly threadMs: number;
}

/** The median of some rounds. */
async function measure(work: () => Promise<unknown>): Promise<Took> {
  const rounds: Took[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [began, used] = [performance.now(), process.threadCpuUsage()];
    await work();
    const { user, system } = process.threadCpuUsage(used);
    rounds.push({ wallMs: performance.now() - began, threadMs: (user + system) / 1_000 });
  }
  const middle = rounds.sort((a, b) => a.threadMs - b.threadMs)[Math.floor(ROUNDS / 2)];
  if (middle === undefined) throw new Error("Nothing was measured.");
  return middle;
}

function printed({ wallMs, threadMs }: Took): string {
  return `${threadMs.toFixed(0)} ms of the thread (${wallMs.toFixed(0)} ms on the clock)`;
}

/**
 * One more transaction when there are as many already, until it is on disk: a line of the journal, and the way of
 * `globalState`, which writes all that it holds as one text.
 */
async function reportAppend(home: string): Promise<void> {
  const journal = new JournalFile(home);
  await journal.load();
  const state = join(home, "state.json");
  const lines = (await readFile(journal.file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const all = lines.map((line) => JSON.parse(line) as unknown);
  const took = await inTurns(
    {
      ours: () => journal.append(lifeOf(TRANSACTIONS + 1)),
      globalState: async () => {
        await writeFile(state, JSON.stringify(all), { flush: true });
      },
    },
    ROUNDS,
  );
  await journal.close();
  report({
    area: "journal",
    what: "write one more transaction, until it is on disk",
    meaning: "Delay between the signature and the broadcast, with a long history.",
    peer: "all as one text, as `globalState` keeps it",
    unit: "ms",
    better: "less",
    ours: took.ours,
    theirs: took.globalState,
  });
}

async function loadTracker(folder: string): Promise<void> {
  const store = new JournalFile(folder);
  const gatewayFor = () => Promise.reject(new Error("nobody is asked"));
  const tracker = new TransactionTracker({ store, gatewayFor, clock: systemClock });
  await tracker.load();
  if (tracker.list().length !== TRANSACTIONS) throw new Error(`${tracker.list().length} transactions were read.`);
  tracker.dispose();
  await store.close();
}

const folder = await mkdtemp(join(tmpdir(), "finality-journal-bench-"));
try {
  const journal = new JournalFile(folder);
  await journal.append(Array.from({ length: TRANSACTIONS }, (_, number) => lifeOf(number)).flat());
  const entries = await measure(async () => {
    const reader = new JournalFile(folder);
    await reader.load();
    await reader.close();
  });
  const tracked = await measure(() => loadTracker(folder));
  const parsed = await measure(async () => {
    const lines = (await readFile(journal.file, "utf8")).split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => JSON.parse(line) as unknown);
  });
  await journal.close();

  const what = `the state of ${TRANSACTIONS.toLocaleString("en-US")} transactions`;
  console.log(`journal of 100,000 entries, read and checked: ${printed(entries)}`);
  console.log(`journal of 100,000 entries, read to ${what}: ${printed(tracked)}`);
  console.log(
    `JSON.parse of the same lines: ${printed(parsed)}, ratio ${(tracked.threadMs / parsed.threadMs).toFixed(1)}`,
  );
  report({
    area: "journal",
    what: `read 100,000 entries to ${what}`,
    meaning: "Delay of the first list, with a long history.",
    peer: "`JSON.parse` of the same lines",
    unit: "ms",
    better: "less",
    ours: tracked.threadMs,
    theirs: parsed.threadMs,
    reason:
      "each line is parsed, validated and applied to a state; `JSON.parse` alone validates nothing and has no state",
  });
  await reportAppend(folder);
  if (tracked.threadMs >= LIMIT_MS) {
    console.error(`Reading the journal took more than ${LIMIT_MS} ms.`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true });
}
