import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JournalEntry } from "../../packages/client/src/transaction-state/journal-entry.ts";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { readJournalText } from "../../packages/node/src/journal/journal-text.ts";
import type { TrackedTransaction } from "../../src/public/api.ts";
import { howOften } from "../support/random/how-often.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { packSender } from "./kill/build-sender.ts";
import { executedTransfers } from "./kill/ledger.ts";
import { type Moment, moments, waitFor } from "./kill/moments.ts";
import { type Order, type Report, serveOrders } from "./kill/orders.ts";
import { openWatchedProxy, type Passing } from "./kill/watched-proxy.ts";
import { takeChainBeside } from "./local-flow.ts";
import { type ChainProxy, isBroadcast } from "./proxy.ts";

const KILLS = howOften(6, 20);
const BLOCK_TIME_MS = 150;
const SETTLED_WITHIN_MS = 120_000;
const BORN_WITHIN_MS = 40_000;
const OPENED = 3;
/** States of transactions that are settled, or that were not sent before the kill and wait for the user. */
const SETTLED = new Set(["solidified", "proven-absent", "replaced", "rejected", "signed"]);
const seed = Number(process.env.FINALITY_SEED ?? Date.now() % 1_000_000);

/** Each payment has an amount of its own, as coins. */
function coins(payment: number): string {
  return `1.${String(payment).padStart(6, "0")}`;
}

function twice(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

describe("extension host killed while sending", function () {
  this.timeout(600_000);
  let chain: LocalChain;
  let proxy: ChainProxy;
  let orders: ChainProxy;
  let scratch: string;
  let workbench: OpenWorkbench;

  /** The host that lives: its process, and whether its moment has come. */
  let host = { pid: 0, isDue: (_: Passing): boolean => false, delayMs: 0 };
  let plan: Moment[] = [];
  let paying = true;
  let payments = 0;
  const born: (() => void)[] = [];
  const died: (() => void)[] = [];
  const broken: string[] = [];
  const sentBeforeSafe: string[] = [];
  const broadcasts: string[] = [];
  let listed: ((transactions: readonly TrackedTransaction[]) => void) | undefined;

  const journalFile = () =>
    join(scratch, "data", "server", "data", "User", "globalStorage", "finality.finality", "journal.jsonl");
  const journal = (): readonly JournalEntry[] =>
    readJournalText(readFileSync(journalFile(), "utf8")).entries.map(({ entry }) => entry);
  const address = (index: number): string => {
    const account = chain.ready.accounts[index];
    assert.ok(account);
    return account.address;
  };

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "finality-killed-"));
    chain = await startLocalChain({ blockTimeMs: BLOCK_TIME_MS, startTime: Date.now() });
    proxy = await openWatchedProxy(chain.baseUrl, chain.ready.proof, look);
    orders = await serveOrders(next);
    plan = [...moments(seed, KILLS)];
    const firstHost = birth();
    workbench = await openWorkbench({
      extensions: [await packSender(scratch)],
      dataDir: join(scratch, "data"),
      env: {
        FINALITY_DEV_CHAIN: JSON.stringify({ ...chain.ready, baseUrl: proxy.url }),
        FINALITY_ORDERS: orders.url,
      },
    });
    await takeChainBeside(workbench.page);
    await firstHost;
  });

  after(async () => {
    await workbench.close();
    await orders.close();
    await proxy.close();
    await chain.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  function birth(): Promise<void> {
    return new Promise((resolve) => born.push(resolve));
  }

  function death(): Promise<void> {
    return new Promise((resolve) => died.push(resolve));
  }

  /**
   * A window that comes back without its extensions, as the workbench sometimes does after a kill, is opened once more.
   */
  async function rebirth(): Promise<void> {
    const reborn = birth().then(() => true);
    for (let opened = 0; opened < OPENED; opened++) {
      await workbench.page.reload({ waitUntil: "commit" });
      if (await Promise.race([reborn, wait(BORN_WITHIN_MS, false, { ref: false })])) return;
    }
    assert.fail(`no extension started in ${OPENED} windows`);
  }

  async function next(report: Report): Promise<Order> {
    if (report.kind === "broken") broken.push(report.message);
    if (report.kind === "started") {
      const moment = plan.shift();
      host = { pid: report.pid, isDue: moment ? waitFor(moment) : () => false, delayMs: moment?.delayMs ?? 0 };
      for (const tell of born.splice(0)) tell();
    }
    if (report.kind === "listed") listed?.(report.transactions);
    if (paying) return { kind: "pay", from: address(0), to: address(1), amount: coins(++payments) };
    const [signed] = journal();
    return { kind: "list", txId: signed?.txId ?? "" };
  }

  /** Looks at everything that passes between host and chain, and kills the host when its moment has come. */
  async function look(passing: Passing): Promise<void> {
    if (isBroadcast(passing.path) && passing.at === "before") checkJournalKnows(passing.body);
    const { pid, isDue, delayMs } = host;
    if (!isDue(passing)) return;
    const kill = (): void => {
      process.kill(pid, "SIGKILL");
      for (const tell of died.splice(0)) tell();
    };
    if (delayMs === 0) kill();
    else setTimeout(kill, delayMs);
  }

  /** The bytes are here, so the disk must hold them already. */
  function checkJournalKnows(body: string): void {
    const { txID } = JSON.parse(body) as { txID: string };
    broadcasts.push(txID);
    const kinds = journal().flatMap((it) => (it.txId === txID ? [it.kind] : []));
    if (!kinds.includes("signed") || !kinds.includes("broadcast-started")) sentBeforeSafe.push(txID);
  }

  async function settled(): Promise<readonly TrackedTransaction[]> {
    const end = Date.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const all = await new Promise<readonly TrackedTransaction[]>((resolve) => {
        listed = resolve;
      });
      if (all.every(({ state }) => SETTLED.has(state.kind))) return all;
      assert.ok(Date.now() < end, `still open: ${JSON.stringify(all.filter(({ state }) => !SETTLED.has(state.kind)))}`);
      await wait(BLOCK_TIME_MS);
    }
  }

  it(`loses nothing and pays nothing twice when it is killed at ${KILLS} random moments (seed ${seed})`, async () => {
    for (let kills = 1; kills <= KILLS; kills++) {
      await death();
      if (kills === KILLS) paying = false;
      await rebirth();
    }

    const transactions = await settled();

    const entries = journal();
    const signed = new Set(entries.flatMap((it) => (it.kind === "signed" ? [it.txId as string] : [])));
    const shown = new Map(transactions.map((it) => [it.txId, it.state.kind]));
    const executed = await executedTransfers(chain.baseUrl, address(0));
    assert.deepEqual(sentBeforeSafe, [], "bytes left before they were on disk");
    assert.deepEqual(twice(broadcasts), [], "bytes that nobody asked to send again");
    assert.deepEqual(twice(executed.map(({ amount }) => String(amount))), [], "a payment that was made twice");
    assert.deepEqual(
      executed.filter(({ txId }) => !signed.has(txId)),
      [],
      "executed and not in the journal",
    );
    assert.deepEqual(
      [...signed].filter((txId) => !shown.has(txId)),
      [],
      "in the journal and not shown",
    );
    const solidified = [...shown].filter(([, kind]) => kind === "solidified").map(([txId]) => txId);
    assert.deepEqual(solidified.sort(), executed.map(({ txId }) => txId).sort());
    assert.deepEqual(broken, []);
    assert.ok(executed.length >= KILLS / 2, `only ${executed.length} payments were made`);
    const counts = Map.groupBy(shown.values(), (kind) => kind);
    const ends = [...counts].map(([kind, all]) => `${all.length} ${kind}`).join(", ");
    process.stdout.write(`      ${KILLS} kills, ${payments} payments ordered, ${signed.size} signed: ${ends}\n`);
  });
});
