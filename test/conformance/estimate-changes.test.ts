import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partOf, runJson } from "../../packages/cli/test/support/test-terminal.ts";
import type { JsonObject } from "../../packages/tron/src/primitives/json.ts";
import { mutations } from "../support/changes/mutations.ts";
import { neutralChanges } from "../support/changes/neutral-changes.ts";
import {
  compileContract,
  projectContracts,
  writeArtifact,
  writeCallFiles,
} from "../support/changes/openzeppelin-project.ts";
import { ReceiptChain } from "../support/changes/receipts.ts";
import { howOften } from "../support/random/how-often.ts";

/** It compiles contracts of OpenZeppelin 80 times. packages/cli/test/worktree.test.ts compares one change by default. */
const isFull = howOften(0, 1) === 1;

describe("estimates of a pull request against its base", function () {
  this.timeout(600_000);

  const artifacts = new Map<string, string>();
  let chain: ReceiptChain;
  let folder: string;

  before(async () => {
    chain = await ReceiptChain.start();
    folder = mkdtempSync(join(tmpdir(), "finality-changes-"));
    writeCallFiles(folder);
    for (const name of Object.keys(projectContracts)) {
      artifacts.set(name, compileContract(name));
      writeArtifact(folder, name, artifacts.get(name) ?? "");
    }
    const git = (...args: readonly string[]): unknown =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], { cwd: folder });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "base");
  });

  after(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(() => {
    for (const [name, artifact] of artifacts) writeArtifact(folder, name, artifact);
  });

  /** Estimates the folder with another artifact of one contract. */
  async function estimate(contract: string, artifact: string) {
    writeArtifact(folder, contract, artifact);
    const { exitCode, line } = await runJson(["estimate", "calls", "--against", "main"], { folder });
    const { changes, overBudget, added, removed, notes, calls, functions } = partOf(line, "result");
    assert.deepEqual([added, removed, notes, functions], [[], [], [], { added: [], removed: [] }]);
    const figures = (calls as readonly JsonObject[]).map(
      ({ name, energy }) => [String(name), BigInt(String(energy))] as const,
    );
    return { exitCode, changes: changes as readonly JsonObject[], over: overBudget as readonly string[], figures };
  }

  const callFileOf = (contract: string): string =>
    readFileSync(join(folder, `calls/${contract}.finality.jsonc`), "utf8");

  if (isFull)
    it("equals the receipt of each call and deployment", async () => {
      const { figures, exitCode } = await estimate("Coin", artifacts.get("Coin") ?? "");
      const receipts = new Map<string, bigint>();
      for (const [name, artifact] of artifacts)
        for (const it of await chain.energyOf(callFileOf(name), artifact)) receipts.set(...it);

      assert.equal(exitCode, 0);
      assert.deepEqual(new Map(figures), receipts);
    });

  const all = mutations();
  assert.equal(all.length, 30);
  for (const { title, contract, change, functions } of isFull ? all : [])
    it(`names each function that became more expensive: ${title}`, async () => {
      const artifact = compileContract(contract, change);
      const receiptsBefore = await chain.energyOf(callFileOf(contract), artifacts.get(contract) ?? "");
      const receipts = await chain.energyOf(callFileOf(contract), artifact);

      const { exitCode, over } = await estimate(contract, artifact);

      const dearer = [...receipts].filter(([name, energy]) => energy > (receiptsBefore.get(name) ?? 0n));
      assert.deepEqual([...over].sort(), dearer.map(([name]) => name).sort());
      for (const name of functions)
        assert.ok(
          over.some((it) => it.startsWith(`${contract}.${name}(`)),
          `${name} is not in ${over.join(", ")}`,
        );
      assert.equal(exitCode, 5);
    });

  const neutral = neutralChanges();
  assert.ok(neutral.length >= 50);
  for (const { title, contract, change } of isFull ? neutral : [])
    it(`reports no change: ${title}`, async () => {
      const artifact = compileContract(contract, change);

      const { exitCode, changes, over } = await estimate(contract, artifact);

      assert.notEqual(artifact, artifacts.get(contract));
      assert.deepEqual([exitCode, changes, over], [0, [], []]);
    });
});
