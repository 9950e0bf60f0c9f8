import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import * as vscode from "vscode";
import { callSitesInCallFile, type callSitesInScript } from "../../packages/client/src/call-sites/find-call-sites.ts";
import { threadTimeMs } from "../../packages/node/src/system-clock.ts";
import type { EnergyEstimate, FinalityApi } from "../../src/public/api.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import { workUnitMs } from "../support/time/work-units.ts";
import { ioOfExtension, ioWhileIdle } from "./host-io.ts";
import { endLocalChain, finality } from "./local-chain.ts";
import { Mocha } from "./mocha.ts";
import { sources } from "./product.ts";

const MANY = 200;
const LINES = 10_000;
/** A busy machine slows single rounds; an answer that always takes longer than its limit stays slow in all of them. */
const MOST_ROUNDS = 20;
/** Most CPU time of an answer, in units of work: five times that of an idle machine. */
const LIMIT_UNITS = 300;
/** Requests of estimates, without those of other features. */
const ASKED = {
  head: "/wallet/getnowblock",
  constant: "/wallet/triggerconstantcontract",
  estimate: "/wallet/estimateenergy",
  parameters: "/wallet/getchainparameters",
  account: "/wallet/getaccount",
  resources: "/wallet/getaccountresource",
  contract: "/wallet/getcontractinfo",
  solid: "/walletsolidity/getaccount",
};

function print(words: string): void {
  Mocha.reporters.Base.consoleLog(`      ${words}`);
}

const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder is open");
const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);

function fileOf(path: string): vscode.Uri {
  return vscode.Uri.file(join(folder(), path));
}

async function show(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(fileOf(path));
  await vscode.window.showTextDocument(document);
  return document;
}

async function lensesOf({ uri }: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
  return await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri, 1_000);
}

/** Until our lenses are there: the part of the extension that draws them comes with the first file that has calls. */
async function drawn(document: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
  return await soon(`lenses in ${document.fileName}`, async () => {
    const lenses = await lensesOf(document);
    return lenses.some(({ command }) => /^finality\.(estimateEnergy|showEstimate)$/.test(command?.command ?? ""))
      ? lenses
      : undefined;
  });
}

/** Looks until something is there, and says what is missing when it does not come. */
async function soon<T>(what: string, look: () => Promise<T | undefined>, why = (): string => ""): Promise<T> {
  for (let left = 400; left > 0; left--) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(50);
  }
  const lines = JSON.stringify(vscode.window.activeTextEditor?.visibleRanges);
  return assert.fail(`there are no ${what}. ${why()} Seen are the lines ${lines}`);
}

async function ask<T>(baseUrl: string, path: string, body: object = {}): Promise<T> {
  const answer = await fetch(`${baseUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
  return (await answer.json()) as T;
}

/** Starts counting requests; the result tells how many there were since. */
async function countRequests(baseUrl: string) {
  await fetch(`${baseUrl}/local/requests`, { method: "DELETE" });
  return async (): Promise<{ readonly [K in keyof typeof ASKED]: number }> => {
    const { paths } = (await (await fetch(`${baseUrl}/local/requests`)).json()) as { paths: Record<string, number> };
    const counts = Object.entries(ASKED).map(([name, path]) => [name, paths[path] ?? 0]);
    return Object.fromEntries(counts) as { [K in keyof typeof ASKED]: number };
  };
}

const NOTHING = { head: 0, constant: 0, estimate: 0, parameters: 0, account: 0, resources: 0, contract: 0, solid: 0 };

/** A script with so many different calls, spread over so many lines. */
function script(calls: number, lines: number): string {
  const rows = Array.from({ length: lines }, (_, at) => {
    const call = Math.floor((at * calls) / lines);
    const isCall = at === 0 || Math.floor(((at - 1) * calls) / lines) !== call;
    return isCall
      ? `await leaf.methods.transfer("Carol", ${call + 1}).send({ feeLimit: 30_000_000, from: "Bob" });`
      : `const value${at} = { text: "a string, (with) \${marks}", list: [1, 2, 3].map((one) => one + ${at}) }; // a comment`;
  });
  return rows.join("\n");
}

/** Until the extension has read what was written: watchers tell of files when they can. */
async function placed(api: FinalityApi): Promise<void> {
  const call = { contract: "Leaf", function: "totalSupply", caller: "Bob" };
  let words = "";
  await soon(
    "figures of Leaf",
    async () => {
      const { kind, text, problems } = await api.estimateEnergy(call);
      words = [text, ...problems].join(" ");
      return kind === "estimated" || undefined;
    },
    () => words,
  );
  await soon("moments without files that are read", async () => {
    const read = await ioOfExtension(() => pause(300));
    return read.length === 0 || undefined;
  });
}

describe("energy estimates in the extension host", () => {
  let baseUrl = "";

  before(async function () {
    this.timeout(120_000);
    const samples = sources("samples");
    copySamples(samples, folder(), ["build", "calls", "contracts"]);
    const api = await finality();
    const settings = vscode.workspace.getConfiguration("finality");
    await settings.update("localChain.blockTime", 60_000, vscode.ConfigurationTarget.Global);
    ({ baseUrl } = await run<{ baseUrl: string }>("startLocalChain", {}));
    const { deploy } = (await import(pathToFileURL(join(samples, "scripts", "deploy.mjs")).href)) as {
      deploy(at: string): Promise<unknown>;
    };
    mkdirSync(join(folder(), "deployments"), { recursive: true });
    writeFileSync(join(folder(), "deployments", "local.json"), JSON.stringify(await deploy(baseUrl)));
    mkdirSync(join(folder(), "scripts"), { recursive: true });
    writeFileSync(join(folder(), "scripts", "many.ts"), script(MANY, MANY));
    writeFileSync(join(folder(), "scripts", "long.ts"), script(MANY, LINES));
    await placed(api);
  });

  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await endLocalChain();
    const settings = vscode.workspace.getConfiguration("finality");
    await settings.update("localChain.blockTime", undefined, vscode.ConfigurationTarget.Global);
  });

  afterEach(async () => {
    const settings = vscode.workspace.getConfiguration("finality.energy");
    for (const name of ["display", "autoRefresh"])
      await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
    await ask(baseUrl, "/local/faults", []);
  });

  it(`sends no request when ${MANY} call sites are opened, and one per requested estimate`, async () => {
    const counted = await countRequests(baseUrl);
    const document = await show("scripts/many.ts");
    const first = await drawn(document);
    assert.equal(first.length, MANY);
    assert.ok(first.every(({ command }) => command?.title === "$(zap)\u00a0Estimate energy"));
    assert.deepEqual(await counted(), NOTHING);

    const started = threadTimeMs();
    const estimates = await run<EnergyEstimate[]>("refreshEstimates", { uri: document.uri.toString() });
    const worked = threadTimeMs() - started;

    const others = estimates.filter(({ kind }) => kind !== "estimated");
    assert.deepEqual([...new Set(others.map(({ text, problems }) => [text, ...problems].join(" ")))], []);
    assert.equal(estimates.length, MANY);
    const asked = await counted();
    assert.deepEqual(asked, {
      head: 1,
      constant: MANY,
      estimate: MANY,
      parameters: 1,
      account: 1,
      resources: 1,
      contract: 1,
      solid: 1,
    });
    for (let again = 0; again < 3; again++)
      for (const { command } of await lensesOf(document)) assert.match(command?.title ?? "", / energy · /);
    assert.deepEqual(await counted(), asked, "drawing them again asks nothing");
    const sum = Object.values(asked).reduce((all, one) => all + one, 0);
    print(
      `${MANY} call sites: 0 requests to open, ${sum} to refresh; the host worked ${worked.toFixed(0)} ms for them`,
    );
  }).timeout(120_000);

  it("starts no I/O in its providers", async () => {
    const document = await show("calls/leaf.finality.jsonc");
    await drawn(document);
    const everything = async (): Promise<void> => {
      const at = document.positionAt(document.getText().indexOf('"transfer"') + 2);
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      await lensesOf(document);
      for (const [command, ...input] of [
        ["vscode.executeInlayHintProvider", all],
        ["vscode.executeHoverProvider", at],
        ["vscode.executeCodeActionProvider", all],
        ["vscode.executeCompletionItemProvider", at],
      ] as const)
        await vscode.commands.executeCommand(command, document.uri, ...input);
    };
    await everything();

    assert.deepEqual({ "before a request": await ioWhileIdle(everything) }, { "before a request": [] });
    const asked = await ioOfExtension(async () => run("refreshEstimates", { uri: document.uri.toString() }));
    assert.ok(asked.includes("request"), "what is asked for is seen");
    assert.deepEqual({ "with figures": await ioWhileIdle(everything) }, { "with figures": [] });
    const settings = vscode.workspace.getConfiguration("finality.energy");
    await settings.update("display", "inlayHint", vscode.ConfigurationTarget.Global);
    assert.deepEqual({ "as inlay hints": await ioWhileIdle(everything) }, { "as inlay hints": [] });
  }).timeout(60_000);

  it(`answers within ${LIMIT_UNITS} units of work in ${LINES.toLocaleString("en-US")} lines after edits`, async () => {
    const document = await show("scripts/long.ts");
    await drawn(document);
    const middle = new vscode.Range(LINES / 2, 0, LINES / 2 + 60, 0);
    const at = new vscode.Position(LINES / 2, 10);
    const settings = vscode.workspace.getConfiguration("finality.energy");
    for (const [name, display, command, ...input] of [
      ["lenses", "codeLens", "vscode.executeCodeLensProvider"],
      ["inlay hints", "inlayHint", "vscode.executeInlayHintProvider", middle],
      ["hovers", "codeLens", "vscode.executeHoverProvider", at],
      ["quick fixes", "codeLens", "vscode.executeCodeActionProvider", middle],
    ] as const) {
      await settings.update("display", display, vscode.ConfigurationTarget.Global);
      const works: number[] = [];
      const limit = LIMIT_UNITS * workUnitMs();
      for (let round = 0; round < MOST_ROUNDS && !works.some((ms) => ms < limit); round++) {
        await type(document, `// ${round}\n`);
        const before = threadTimeMs();
        await vscode.commands.executeCommand(command, document.uri, ...input);
        works.push(threadTimeMs() - before);
      }
      const best = Math.min(...works);
      print(`${name}: ${best.toFixed(1)} ms of CPU time at best, ${works.length} rounds`);
      assert.ok(best < limit, `${name} took ${works.map((one) => one.toFixed(1)).join(", ")} ms`);
    }
  }).timeout(300_000);

  async function type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(LINES / 4, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  it("stops requests for a closed document", async () => {
    await ask(baseUrl, "/local/faults", [{ name: "latency", ms: 300, when: "before" }]);
    const text = script(MANY, MANY).replaceAll("Carol", "Dave");
    writeFileSync(join(folder(), "scripts", "closed.ts"), text);
    const document = await show("scripts/closed.ts");
    await drawn(document);
    const counted = await countRequests(baseUrl);
    const asking = run<EnergyEstimate[]>("refreshEstimates", { uri: document.uri.toString() });
    await soon("requests", async () => (await counted()).constant || undefined);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    assert.ok((await asking).length < MANY, "what is known by then stays");
    const { constant } = await counted();
    await ask(baseUrl, "/local/faults", []);
    await pause(500);

    assert.equal((await counted()).constant, constant, "nothing comes after");
    assert.ok(constant < MANY / 4, `${constant} of ${MANY} were asked`);
    print(`${constant} of ${MANY} calls were asked before the document was closed`);
  }).timeout(60_000);

  it("estimates automatically only when enabled, and only visible calls", async () => {
    const settings = vscode.workspace.getConfiguration("finality.energy");
    writeFileSync(join(folder(), "scripts", "seen.ts"), script(MANY, MANY).replaceAll(', from: "Bob"', ""));
    const counted = await countRequests(baseUrl);
    await settings.update("autoRefresh", true, vscode.ConfigurationTarget.Global);
    await drawn(await show("scripts/seen.ts"));
    // Lenses take room: fewer lines are seen once they are drawn.
    const linesSeen = (): number =>
      (vscode.window.activeTextEditor?.visibleRanges ?? []).reduce(
        (all, { start, end }) => all + end.line - start.line + 1,
        0,
      );
    let most = 0;
    await soon("requests for all lines that are seen", async () => {
      const lines = linesSeen();
      most = Math.max(most, lines);
      return (lines > 0 && (await counted()).constant >= lines) || undefined;
    });
    await show("calls/leaf.finality.jsonc");
    await show("scripts/seen.ts");
    await pause(2_500);

    const { constant } = await counted();
    const inCallFile = callSitesInCallFile(readFileSync(fileOf("calls/leaf.finality.jsonc").fsPath, "utf8")).length;
    assert.ok(constant <= most + inCallFile, `${constant} calls were asked, ${most} lines were seen`);
    assert.ok(most < MANY, `${most} lines of ${MANY} were seen at once`);
    print(`${most} lines were seen, ${constant} of ${MANY} calls were asked`);

    await run("chooseCaller", { account: "Dave" });
    await soon("requests for another caller", async () => (await counted()).constant > constant || undefined);
    await run("forgetAnswers", {});
  }).timeout(60_000);

  it("S80 shows the figures of the receipt when the calls of the files are sent", async () => {
    let matched = 0;
    let total = 0;
    for (const path of ["calls/leaf.finality.jsonc", "calls/tea-house.finality.jsonc"]) {
      const document = await show(path);
      await drawn(document);
      for (const [index, callSite] of callSitesInCallFile(document.getText()).entries()) {
        if (callSite.feeLimit === undefined) continue;
        const offset = callSite.range.start;
        await run("estimateEnergy", { uri: document.uri.toString(), offset, index });
        const [lens] = (await lensesOf(document)).filter(({ command }) => command?.arguments?.[0]?.index === index);
        const [, energy, coins = "0"] =
          /^\$\((?:check|info)\)\s([\d,]+) energy · (?:nothing to burn|([\d,.]+)(?: coins?)?)$/.exec(
            lens?.command?.title ?? "",
          ) ?? [];
        if (energy === undefined) continue;
        total += 1;
        const receipt = await sent(callSite);
        const shown = [Number(energy.replaceAll(",", "")), Math.round(Number(coins.replaceAll(",", "")) * 1e6)];
        assert.deepEqual(shown, receipt, callSite.label);
        matched += 1;
      }
    }
    print(`matched ${matched} / ${total} calls that their lens says to fit`);
    assert.ok(total >= 14, `${total} calls`);
  }).timeout(120_000);

  async function sent(callSite: ReturnType<typeof callSitesInScript>[number]): Promise<readonly [number, number]> {
    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_, it) => (typeof it === "bigint" ? it.toString() : it)));
    // Sending waits for the next block.
    const mining = setInterval(() => void ask(baseUrl, "/local/mine", { blocks: 1 }), 25);
    const { txId } = await run<{ txId: string }>("callContract", {
      contract: callSite.contract.kind === "named" ? callSite.contract.name : "",
      function: callSite.method,
      arguments: callSite.arguments?.map(({ value }) => plain(value)),
      from: callSite.caller?.value,
      feeLimit: plain(callSite.feeLimit?.value),
      ...(callSite.callValue === undefined ? {} : { callValue: plain(callSite.callValue.value) }),
    });
    clearInterval(mining);
    await ask(baseUrl, "/local/mine", { blocks: 1 });
    const { receipt, fee = 0 } = await ask<{ receipt: { energy_usage_total?: number }; fee?: number }>(
      baseUrl,
      "/wallet/gettransactioninfobyid",
      { value: txId },
    );
    return [receipt.energy_usage_total ?? 0, fee];
  }
});
