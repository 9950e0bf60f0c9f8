import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { soakRun, step } from "../../../../test/support/chain/soak-requests.ts";
import { testChain, testChainOf } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { dice } from "../../../../test/support/random/dice.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { ChainFolder } from "../../src/data/chain-folder.ts";
import {
  completeOptions,
  createSimulation,
  type LocalChainOptions,
  type Simulation,
} from "../../src/simulation/simulation.ts";

const STEPS = 40;
const CUTS = howOften(5, 40);
const REQUESTS = howOften(120, 2_000);
const FAULTS = [
  { name: "reorganisation", rate: 0.02, transactions: "return" },
  { name: "solidification-stopped", rate: 0.1 },
  { name: "code-ended", rate: 0.2, result: "OUT_OF_TIME" },
];
const RECIPIENT = "41ab8dfe5fb694a42f8d6bdf2aef4613a7d5c68f63";

describe("ChainFolder", () => {
  let folders: string;
  beforeEach(() => {
    folders = mkdtempSync(join(tmpdir(), "finality-chain-"));
  });
  afterEach(() => rmSync(folders, { recursive: true, force: true }));

  const home = (name = "home"): string => join(folders, name);

  async function start(path = home(), options: LocalChainOptions = {}): Promise<[Simulation, ChainFolder]> {
    const folder = new ChainFolder(path, { blockTimeMs: 0, ...options });
    const simulation = await createSimulation(folder.options);
    folder.resume(simulation);
    return [simulation, folder];
  }

  it("resumes with keys, blocks, accounts, receipts and pending transactions", async () => {
    const [before, folder] = await start();
    await control(before, "fund", { address: RECIPIENT, amount: 5 });
    const { txID } = await control(before, "fund", { address: RECIPIENT, amount: 7, mine: false });
    const seen = stateOf(before);
    folder.close();

    const [after, again] = await start();

    assert.deepEqual(stateOf(after), seen);
    assert.equal(after.faucet.privateKey, before.faucet.privateKey);
    assert.ok(after.chain.pool.get(txID));
    await control(after, "mine", {});
    assert.equal(after.chain.find(txID)?.info?.result, "SUCCESS");
    again.close();
  });

  it("creates a new payment instead of repeating one that was pending when the process was killed", async () => {
    const [before, folder] = await start();
    const { txID: first } = await control(before, "fund", { address: RECIPIENT, amount: 7, mine: false });
    const [after, again] = await start(copyOf(home(), home("killed")));

    const { txID: second } = await control(after, "fund", { address: RECIPIENT, amount: 7 });

    assert.equal(after.chain.find(first)?.info?.result, "SUCCESS");
    assert.equal(after.chain.find(second)?.info?.result, "SUCCESS");
    assert.notEqual(second, first);
    folder.close();
    again.close();
  });

  it("resumes with accounts and balances that /tre changed", async () => {
    const [before, folder] = await start();
    const chain = testChainOf(before);
    const { address = "" } = chain.accounts[0] ?? {};
    const rpc = { jsonrpc: "2.0", id: 1 };
    await chain.ask("/tre", { ...rpc, method: "tre_unlockedAccounts", params: [[address]] });
    await chain.ask("/tre", { ...rpc, method: "tre_setAccountBalance", params: [RECIPIENT, 42] });
    assert.equal((await chain.send(chain.transfer({ signers: [] }))).result, true);
    chain.mine();
    const seen = stateOf(before);
    folder.close();

    const [after, again] = await start();

    assert.deepEqual(stateOf(after), seen);
    const resumed = testChainOf(after);
    assert.equal((await resumed.send(resumed.transfer({ signers: [] }))).result, true);
    assert.equal((await resumed.ask("/wallet/getaccount", { address: RECIPIENT })).balance, 42);
    again.close();
  });

  it("resumes as a runtime environment with its chain id, and stores no user keys", async () => {
    const [before, folder] = await start(home(), completeOptions({ tre: true, accounts: 1 }));
    const seen = stateOf(before);
    folder.close();

    const [after, again] = await start();

    assert.deepEqual(stateOf(after), seen);
    assert.match(after.chain.blockId(0) ?? "", /c845df2f$/);
    assert.deepEqual(after.accounts, before.accounts);
    again.close();
    const mnemonic = "test test test test test test test test test test test junk";
    assert.throws(() => new ChainFolder(home("other"), { mnemonic }), /stores no keys of yours/);
  });

  it("restores the state after the last complete change when the file is cut anywhere", async () => {
    const [chain, folder] = await start();
    const roll = dice(7);
    const moments = [{ size: 0, state: stateOf(chain) }];
    for (let step = 0; step < STEPS; step += 1) {
      await randomChange(chain, roll);
      moments.push({ size: readFileSync(join(home(), "events-0")).length, state: stateOf(chain) });
    }
    for (let cut = 0; cut < CUTS; cut += 1) {
      const at = roll(STEPS);
      const [moment, next] = [moments[at], moments[at + 1]];
      assert.ok(moment && next);
      const copy = copyOf(home(), home(`cut ${cut}`));
      truncateSync(join(copy, "events-0"), moment.size + roll(next.size - moment.size));

      const [cutChain, cutFolder] = await start(copy);

      assert.deepEqual(stateOf(cutChain), moment.state, `after change ${at}`);
      await control(cutChain, "mine", {});
      cutFolder.close();
    }
    folder.close();
  }).timeout(20_000);

  it("stops before a change with corrupt bytes", async () => {
    const [chain, folder] = await start();
    await control(chain, "mine", {});
    const state = stateOf(chain);
    const { length } = readFileSync(join(home(), "events-0"));
    await control(chain, "mine", {});
    const copy = copyOf(home(), home("copy"));
    folder.close();
    const bytes = readFileSync(join(copy, "events-0"));
    bytes[length + 20] = (bytes[length + 20] ?? 0) ^ 1;
    writeFileSync(join(copy, "events-0"), bytes);

    const [again, other] = await start(copy);

    assert.deepEqual(stateOf(again), state);
    other.close();
  });

  it("restores the same state from the changes and from the stored state, after contracts, stakes, tokens and faults", async () => {
    const options = { seed: "busy", blockTimeMs: 0 };
    const busy = await testChain(options);
    const folder = new ChainFolder(home(), options);
    folder.resume(busy.simulation);
    await control(busy.simulation, "faults", { faults: FAULTS, seed: "busy" });
    const run = soakRun(busy, 5);
    while (run.asked < REQUESTS) await step(run);
    await control(busy.simulation, "faults", { faults: [] });

    const [byChanges, first] = await start(copyOf(home(), home("copy")), options);
    assert.deepEqual(stateOf(byChanges), stateOf(busy.simulation));
    first.close();
    folder.close();
    const [byState, second] = await start(home(), options);
    assert.deepEqual(stateOf(byState), stateOf(busy.simulation));

    for (const simulation of [busy.simulation, byState]) await control(simulation, "mine", { blocks: 40 });
    assert.deepEqual(stateOf(byState), stateOf(busy.simulation));
    for (let at = 1; at <= byState.chain.head.header.number; at += 1)
      assert.deepEqual(byState.chain.block(at), busy.simulation.chain.block(at));
    second.close();
  }).timeout(20_000);

  it("restores snapshots taken before the restart", async () => {
    const [before, folder] = await start();
    await control(before, "snapshot", { id: "early" });
    const seen = stateOf(before);
    await control(before, "mine", { blocks: 3 });
    folder.close();

    const [after, again] = await start();
    await control(after, "restore", { id: "early" });

    assert.deepEqual(stateOf(after), seen);
    again.close();
  });

  it("locks the folder for one process, and unlocks it when that process was killed", async () => {
    const [, folder] = await start();
    assert.throws(() => new ChainFolder(home(), {}), /is in use by process \d+/);
    folder.close();
    writeFileSync(join(home(), "lock"), "999999999");

    const [, again] = await start();

    assert.throws(() => new ChainFolder(home(), {}), /is in use/);
    again.close();
    assert.equal(readdirSync(home()).includes("lock"), false);
  });

  it("refuses a folder that was created with other options", async () => {
    const [, folder] = await start(home(), { witnesses: 3, parameters: { getEnergyFee: 100 } });
    folder.close();

    assert.throws(() => new ChainFolder(home(), { witnesses: 5 }), /began with other witnesses/);
    assert.throws(() => new ChainFolder(home(), { seed: "s" }), /began with other seed/);
    assert.throws(() => new ChainFolder(home(), { parameters: {} }), /began with other parameters/);
    const [again, other] = await start(home(), { witnesses: 3 });
    assert.equal(again.chain.parameters.getEnergyFee, 100);
    other.close();
  });

  it("refuses to start over when the stored state is damaged", async () => {
    const [chain, folder] = await start();
    await control(chain, "mine", {});
    folder.close();
    truncateSync(join(home(), "state-1"), 100);

    await assert.rejects(start(), /state-1 is damaged/);
  });
});

async function control(simulation: Simulation, name: string, body: object): Promise<{ txID: never }> {
  const path = `/local/${name}`;
  const request = new Request(`http://chain${path}`, { method: "POST", body: JSON.stringify(body) });
  const input = await answer(request, path, simulation);
  if (input.kind !== "answer") throw new Error("There is no answer.");
  return (await input.response.json()) as { txID: never };
}

/** Makes a random change, which is one entry of the file. */
async function randomChange(simulation: Simulation, roll: (bound: number) => number): Promise<void> {
  switch (roll(9)) {
    case 0:
      return void (await control(simulation, "warp", { ms: 1 + roll(10_000_000), mine: false }));
    case 1:
      return void (await control(simulation, "snapshot", { id: "kept" }));
    case 2:
      return void (await control(simulation, "restore", { id: simulation.snapshots.has("kept") ? "kept" : "initial" }));
    case 3:
      return void (await control(simulation, "fork", { transactions: roll(2) === 0 ? "lost" : "return" }));
    case 4:
    case 5:
      return void (await control(simulation, "fund", { address: RECIPIENT, amount: 1 + roll(1000), mine: false }));
    default:
      return void (await control(simulation, "mine", {}));
  }
}

function copyOf(from: string, to: string): string {
  mkdirSync(to);
  for (const name of ["chain.json", "events-0"]) copyFileSync(join(from, name), join(to, name));
  return to;
}

/** Returns the visible state of a chain: blocks, both states, the pool. */
function stateOf({ chain }: Simulation): unknown {
  const { head, solid, pendingState, solidState } = chain;
  return {
    head,
    solid: solid.id,
    tables: [pendingState, solidState].map(({ tables }) => Object.values(tables).map((it) => it.entries())),
    totals: [pendingState.totals, solidState.totals],
    pool: chain.pool.entries().map((it) => it.transaction.id),
  };
}
