import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { EnergyEstimate } from "../../src/public/api.ts";
import {
  type EnergyFixture,
  estimateAt,
  fixesOf,
  folder,
  hoverAt,
  lensesOf,
  openEnergyFixture,
  openSource,
  placesOf,
  rowsOf,
  run,
  untilRows,
  withSettings,
  wordsOf,
} from "./energy-fixture.ts";
import { endLocalChain } from "./local-chain.ts";

const CALLS = `{
  "network": "Local chain",
  "calls": [
    { "contract": "Leaf", "function": "transfer", "arguments": ["Carol", "1000000"], "caller": "Alice",
      "feeLimit": 1000000 },
    { "contract": "Leaf", "function": "transfer", "arguments": ["Bob", "2000000"], "caller": "Grace", "feeLimit": 15000000 },
    { "contract": "Leaf", "function": "approve", "arguments": ["Carol", "7"], "caller": "Alice", "feeLimit": 15000000 }
  ]
}
`;

const SCRIPT = `const leaf = await tronWeb.contract(abi, addressOf("Leaf"));
await leaf.methods.transfer("Dave", 1_000_000).send({ feeLimit: 1_000_000 });
await leaf.methods.transfer("Dave", amount).send({ feeLimit: 15_000_000 });
await leaf.methods.balanceOf("Carol").call();
await leaf.methods.approve(Bob.address, 7).send();
// await leaf.methods.transfer("Carol", 5).send();
`;

const SOLIDITY = `contract Leaf {
    /// @custom:estimate {"caller": "Alice", "arguments": ["Erin", "3000000"], "feeLimit": 1000000}
    function transfer(address to, uint256 amount) external returns (bool) {}

    function approve(address spender, uint256 amount) external returns (bool) {}
}

contract Unplaced {
    function steep() external {}
}
`;

describe("energy hints", () => {
  let fixture: EnergyFixture;
  let file: vscode.TextDocument;
  let script: vscode.TextDocument;
  let solidity: vscode.TextDocument;

  before(async () => {
    fixture = await openEnergyFixture();
    file = await openSource("call.finality.jsonc", CALLS);
    script = await openSource("call.ts", SCRIPT);
    solidity = await openSource("Leaf.sol", SOLIDITY);
  });

  after(async () => {
    rmSync(join(folder(), "finality.energy.json"), { force: true });
    rmSync(join(folder(), ".git"), { recursive: true, force: true });
    await run("forgetAnswers");
    await endLocalChain();
  });

  it("send no request before activation, and then change their title in place", async () => {
    const before = await lensesOf(file);
    const none = await fixture.asked();
    assert.deepEqual(await wordsOf(file), new Array(3).fill("$(zap)\u00a0Estimate energy"));

    const input = await run<EnergyEstimate[]>("refreshEstimates", { uri: file.uri.toString() });

    assert.equal((await fixture.asked()) - none, 3);
    assert.deepEqual(placesOf(await lensesOf(file)), placesOf(before));
    const [short = "", reverts = "", fits = ""] = await wordsOf(file);
    assert.match(short, /^\$\(warning\)\s[\d,]+ energy · [\d.]+ coins · fee_limit 1 coin covers [\d,]+ \(\d+ %\)$/);
    assert.match(reverts, /^\$\(error\)\swould REVERT: NotEnoughLeaves\(/);
    assert.match(fits, /^\$\(check\)\s[\d,]+ energy · [\d.]+ coins$/);
    const kinds = input.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["estimated", "fails", "estimated"]);
  });

  it("are shown above calls of scripts, not above comments, with the values to enter", async () => {
    const before = await lensesOf(script);
    assert.equal(before.length, 4);

    const missing = await estimateAt(script, 'transfer("Dave", amount)');
    const read = await estimateAt(script, "balanceOf");
    const named = await estimateAt(script, "approve");

    assert.match(
      missing.text,
      /^not available: an answer is missing: transfer: value \(uint256\), in the source amount$/,
    );
    assert.match(read.text, /^[\d,]+ energy · free to read$/);
    assert.ok(named.assumptions.some((it) => /^Bob\.address is the name of the account Bob \(T\w{33}\)/.test(it)));
    assert.ok(named.assumptions.includes("feeLimit is not set: TronWeb uses 150 coins."));
    assert.deepEqual(placesOf(await lensesOf(script)), placesOf(before));
  });

  it("are shown above Solidity functions of deployed contracts, with samples from their tags", async () => {
    assert.deepEqual(await wordsOf(solidity), new Array(2).fill("$(zap)\u00a0Estimate energy"));

    const sample = await estimateAt(solidity, "function transfer");
    const bare = await estimateAt(solidity, "function approve");

    assert.deepEqual([sample.kind, bare.kind], ["estimated", "unavailable"]);
    assert.match(bare.text, /an answer is missing: approve: spender \(address\); approve: value \(uint256\)$/);
    const [first = "", second = ""] = await wordsOf(solidity);
    assert.match(first, /fee_limit 1 coin covers/);
    assert.match(second, /^\$\(circle-slash\)\snot available: /);
  });

  it("have a table of figures with sources and assumptions", async () => {
    const hover = await hoverAt(file, "transfer");

    for (const part of ["triggerconstantcontract, block ", "estimateenergy", "getEnergyFee", "fee_limit needed"])
      assert.ok(hover.includes(part), `${part} in ${hover}`);
    assert.match(hover, /^\*\*\$\(zap\) Leaf\.transfer\(Carol, 1000000\): /m);
    assert.match(hover, /\| Requested \| (just now|about \d+ blocks? ago) \|/);
    assert.match(hover, /\*\*Assumed\*\*\s+- Leaf is at T\w{33}: it was deployed from here\./);
    assert.match(await hoverAt(script, "await leaf.methods.balanceOf"), /It only reads: calls to a node are free/);
  });

  it("become outdated with new blocks without moving", async () => {
    const before = placesOf(await lensesOf(file));
    await run("localChainMine", { blocks: 25 });

    await estimateAt(file, '"approve"');

    const [short = "", reverts = "", fits = ""] = await wordsOf(file);
    assert.match(short, /^\$\(refresh\)\s[\d,]+ energy · /);
    assert.match(reverts, /^\$\(refresh\)\swould REVERT: /);
    assert.match(fits, /^\$\(check\)/);
    assert.deepEqual(placesOf(await lensesOf(file)), before);
  });

  it("are shown at the ends of lines or not at all, by setting", async () => {
    const whole = new vscode.Range(0, 0, script.lineCount, 0);
    const inlays = () =>
      vscode.commands.executeCommand<vscode.InlayHint[]>("vscode.executeInlayHintProvider", script.uri, whole);
    const ends = [1, 2, 3, 4].map((line) => script.lineAt(line).range.end.character);
    assert.deepEqual(await inlays(), []);

    await withSettings({ "energy.display": "inlayHint" }, async () => {
      assert.deepEqual(await wordsOf(script), []);
      await estimateAt(script, 'transfer("Dave", 1_000_000)');
      const hints = await inlays();
      assert.deepEqual(
        hints.map(({ position }) => position.character),
        ends,
      );
      const words = hints.map(({ label }) =>
        typeof label === "string" ? label : label.map(({ value }) => value).join(""),
      );
      assert.match(words[0] ?? "", /^⚠ [\d,]+ energy · fee_limit covers \d+ %$/);
      assert.match(words[1] ?? "", /^⊘ not available: /);

      assert.deepEqual(await run("toggleEnergyHints"), { display: "off" });
      assert.deepEqual([await inlays(), await wordsOf(script)], [[], []]);
      assert.deepEqual(await run("toggleEnergyHints"), { display: "inlayHint" });
      assert.equal((await inlays()).length, 4);
    });
    assert.equal((await wordsOf(script)).length, 4);
  });

  it("warn about a small fee_limit, and offer a quick fix without a new request", async () => {
    await untilRows(() => rowsOf(script, "fee-limit").length === 1);
    const [row] = rowsOf(script, "fee-limit");
    assert.ok(row);
    assert.equal(script.getText(row.range), "1_000_000");
    assert.match(
      row.message,
      /would fail with OUT_OF_ENERGY after [\d,]+ of about [\d,]+ energy\. Staked energy does not/,
    );
    const fixes = await fixesOf(script, row);
    const titles = fixes.map(({ title }) => title);
    assert.match(titles[0] ?? "", /^Set fee_limit to [\d,]+ sun \(estimate \+ 20 %\)$/);
    assert.deepEqual(titles.slice(1, 3), ["Show estimate details", "Ignore on this line"]);
    const before = await fixture.asked();

    assert.ok(fixes[0]?.edit);
    await vscode.workspace.applyEdit(fixes[0].edit);

    await untilRows(() => rowsOf(script, "fee-limit").length === 0);
    assert.match(script.lineAt(1).text, /feeLimit: \d{1,2}_\d{3}_\d{3} \}\);$/);
    assert.match((await wordsOf(script))[0] ?? "", /^\$\(check\)\s/);
    assert.equal(await fixture.asked(), before);
  });

  it("skip lines with an ignore comment in each language", async () => {
    await run("refreshEstimates", { uri: file.uri.toString() });
    await run("refreshEstimates", { uri: solidity.uri.toString() });
    await vscode.workspace.applyEdit(limitAgain(script));
    for (const document of [file, script, solidity]) {
      await untilRows(() => rowsOf(document, "fee-limit").length === 1);
      const [row] = rowsOf(document, "fee-limit");
      assert.ok(row);
      const ignore = (await fixesOf(document, row)).find(({ title }) => title === "Ignore on this line");
      assert.ok(ignore?.edit);

      await vscode.workspace.applyEdit(ignore.edit);

      await untilRows(() => rowsOf(document, "fee-limit").length === 0);
      assert.match(document.lineAt(row.range.start.line).text, /\/\/ finality-ignore fee-limit$/);
    }
    assert.deepEqual(rowsOf(file, "call-file"), []);
    assert.match((await wordsOf(file))[0] ?? "", /fee_limit 1 coin covers/);
  });

  it("use a chosen caller for calls without one until it is reset", async () => {
    const callerOf = ({ assumptions }: EnergyEstimate) => assumptions.find((it) => it.startsWith("Caller "));
    assert.match(
      callerOf(await estimateAt(script, "balanceOf")) ?? "",
      /^Caller Alice \(T\w{33}\), the chosen account/,
    );

    assert.deepEqual(await run("chooseCaller", { account: "Bob" }), { account: "Bob" });
    assert.match(callerOf(await estimateAt(script, "balanceOf")) ?? "", /^Caller Bob \(/);
    await assert.rejects(async () => run("chooseCaller", { account: "Nobody" }), /no account is named "Nobody"/);

    await run("forgetAnswers");
    assert.match(callerOf(await estimateAt(script, "balanceOf")) ?? "", /^Caller Alice \(/);
  });

  it("estimate visible calls automatically only when enabled", async () => {
    const none = await fixture.asked();
    const seen = await openSource("seen.finality.jsonc", CALLS.replaceAll("1000000", "1100000"));
    await wordsOf(seen);
    assert.equal(await fixture.asked(), none);

    await withSettings({ "energy.autoRefresh": true }, async () => {
      await untilRows(() => rowsOf(seen, "fee-limit").length === 1);
    });

    const [first = ""] = await wordsOf(seen);
    assert.match(first, /fee_limit 1\.1 coins covers/);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    rmSync(seen.uri.fsPath);
  });

  it("explain the missing estimate when the node runs no constant calls", async () => {
    const setNode = (constantCalls: boolean) =>
      fetch(`${fixture.baseUrl}/local/node`, { method: "POST", body: JSON.stringify({ constantCalls }) });
    await setNode(false);
    const { text } = await Promise.resolve(estimateAt(file, '"approve"')).finally(() => setNode(true));

    assert.equal(text, "not available: this node does not run constant calls");
    assert.equal((await wordsOf(file))[2], `$(circle-slash)\u00a0${text}`);
  });

  it("are available to other extensions without a document", async () => {
    const call = { contract: "Leaf", function: "transfer", arguments: ["Carol", 1_000_000n], caller: "Alice" };

    const estimate = await fixture.api.estimateEnergy({ ...call, feeLimit: 1_000_000 });
    const unknown = await fixture.api.estimateEnergy({ ...call, contract: "Nothing" });

    assert.ok(estimate.kind === "estimated" && estimate.energy > 0 && BigInt(estimate.neededFeeLimit) > 1_000_000n);
    assert.match(estimate.problems.join(), /Set fee_limit to/);
    assert.match(unknown.text, /^not available: "Nothing" is neither a contract name/);
  });

  it("are saved to a file, and show increases since the last commit", async () => {
    const path = join(folder(), "finality.energy.json");
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], { cwd: folder() });
    const saved = await run<{ file: string; calls: number; without: number }>("saveCostSnapshot");
    assert.deepEqual([saved.file, saved.calls > 2, saved.without > 0], [vscode.Uri.file(path).toString(), true, true]);
    const figures = (JSON.parse(readFileSync(path, "utf8")) as { energy: Record<string, number> }).energy;
    const name = "Leaf.approve(Carol, 7)";
    const energy = figures[name];
    assert.ok(energy);
    assert.doesNotMatch((await wordsOf(file))[2] ?? "", /·.*·/);

    git("init", "--quiet");
    writeFileSync(path, JSON.stringify({ energy: { ...figures, [name]: energy - 1_204 } }));
    git("add", "finality.energy.json");
    git("commit", "--quiet", "-m", "Figures of before");
    await vscode.commands.executeCommand("git.openRepository", folder());
    const { changes } = await run<{ changes: readonly object[] }>("saveCostSnapshot");
    assert.deepEqual(changes, [{ name, before: energy - 1_204, after: energy }]);

    assert.match((await wordsOf(file))[2] ?? "", /^\$\(check\)\s[\d,]+ energy · [\d.]+ coins · \+1,204$/);
    assert.match(
      await hoverAt(file, '"approve"'),
      /\| Change \| \+1,204 \| &nbsp;&nbsp;finality\.energy\.json of the last commit \|/,
    );
    // Files of later tests are no business of Git, which still may ask for those of this one.
    await vscode.commands.executeCommand("git.close", vscode.Uri.file(folder()));
  });

  it("are saved in the folder of the argument without a prompt", async () => {
    await assert.rejects(
      async () => run("saveCostSnapshot", { folder: "nowhere" }),
      /^ChainError: .*this workspace has no folder nowhere/,
    );

    const saved = await run<{ file: string }>("saveCostSnapshot", { folder: folder() });
    assert.equal(saved.file, vscode.Uri.file(join(folder(), "finality.energy.json")).toString());
  });

  it("do not overwrite an unreadable file, and send no request for it", async () => {
    const path = join(folder(), "finality.energy.json");
    const conflict = '{\n  "energy": {\n<<<<<<< HEAD\n    "Leaf.approve(Carol, 7)": 5\n=======\n  }\n}\n';
    writeFileSync(path, conflict);
    const before = await fixture.asked();

    await assert.rejects(async () => run("saveCostSnapshot"), /^ChainError: Nothing was saved: .* Repair or delete it/);

    assert.equal(readFileSync(path, "utf8"), conflict);
    assert.equal(await fixture.asked(), before);
    rmSync(path);
  });
});

function limitAgain(document: vscode.TextDocument): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const { text, range } = document.lineAt(1);
  edit.replace(document.uri, range, text.replace(/feeLimit: [\d_]+/, "feeLimit: 1_000_000"));
  return edit;
}
