import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Mocha from "mocha";
import * as vscode from "vscode";
import type { Explanation } from "../../src/api.ts";
import { selectorOf } from "../../src/core/abi/selector.ts";
import { threadTimeMs } from "../../src/host/thread-time.ts";
import { generatedArtifact } from "../support/generated-artifacts.ts";
import { finality } from "./local-chain.ts";

const HEX = "436f6e74726163742076616c6964617465206572726f72203a2062616c616e6365206973206e6f742073756666696369656e74";
const REFUSAL = `{"code":"CONTRACT_VALIDATE_ERROR","message":"${HEX}"}`;
const FILES = 500;
const FILE_BYTES = 100_000;

function print(words: string): void {
  Mocha.reporters.Base.consoleLog(`      ${words}`);
}

const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder is open");

async function open(content: string, language = "log"): Promise<vscode.TextDocument> {
  return await vscode.workspace.openTextDocument({ content, language });
}

async function hoverTexts(document: vscode.TextDocument, position: vscode.Position): Promise<readonly string[]> {
  const hovers = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    position,
  );
  return hovers.flatMap(({ contents }) => contents.map((it) => (typeof it === "string" ? it : it.value)));
}

/** Resolves when the problems of a document are as wanted. */
async function problemsOf(uri: vscode.Uri, count: number): Promise<readonly vscode.Diagnostic[]> {
  const own = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Finality");
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (own().length === count) resolve();
  };
  const subscription = vscode.languages.onDidChangeDiagnostics(look);
  look();
  await promise.finally(() => subscription.dispose());
  return own();
}

function writeArtifact(path: string, json: unknown): void {
  const file = join(folder(), path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof json === "string" ? json : JSON.stringify(json));
}

const errorAbi = (name: string) => [{ type: "error", name, inputs: [{ name: "who", type: "address" }] }];
const revertOf = (name: string): string => `0x${selectorOf(`${name}(address)`)}${"0".repeat(24)}${"ab".repeat(20)}`;

/** Asks until the explanation has this code: names come with the index, which follows the files. */
async function explained(input: string, title: RegExp): Promise<Explanation> {
  const api = await finality();
  for (;;) {
    const explanation = await api.explain(input);
    if (title.test(explanation.title)) return explanation;
    await pause(20);
  }
}

/** The longest time that this thread worked without giving others their turn, until the result is called; ms. */
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

/** A host needs a while to set up its watchers, and does not tell of files that came before; what comes and goes at once it leaves out. */
async function watchersLive(): Promise<void> {
  const pattern = new vscode.RelativePattern(folder(), "**/build/contracts/probe*.txt");
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  let live = false;
  watcher.onDidCreate(() => {
    live = true;
  });
  for (let at = 0; !live; at++) {
    writeFileSync(join(folder(), `build/contracts/probe${at}.txt`), "");
    await pause(300);
  }
  watcher.dispose();
}

describe("explanations in the real host", () => {
  before(async () => {
    writeArtifact("build/contracts/Kettle.json", { contractName: "Kettle", abi: errorAbi("TooHot") });
    writeArtifact("build/contracts/Broken.json", '{"contractName":"Broken","abi":[');
    await Promise.all([finality(), watchersLive()]);
  });

  after(async () => {
    const settings = vscode.workspace.getConfiguration("finality.decode");
    await settings.update("diagnosticsIn", undefined, vscode.ConfigurationTarget.Global);
    await settings.update("hoverIn", undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("show a hover over a failed answer, the answer first, with links to our commands alone", async () => {
    const document = await open(`12:00:01 ${REFUSAL}`);

    const [text = ""] = await hoverTexts(document, new vscode.Position(0, 80));

    assert.match(text, /^\*\*Balance is not sufficient\*\*/);
    assert.match(text, /\*Why:\*[\s\S]*\*Fix:\*[\s\S]*\*Same bytes again:\* yes/);
    assert.deepEqual([...new Set(text.match(/command:[\w.]+/g))], ["command:finality.decode"]);
  });

  it("show it in JSON that is printed over many lines, and in documents of every language", async () => {
    const pretty = JSON.stringify(JSON.parse(REFUSAL), undefined, 2);
    for (const language of ["json", "plaintext", "typescript"]) {
      const [text = ""] = await hoverTexts(await open(pretty, language), new vscode.Position(2, 20));
      assert.match(text, /Balance is not sufficient/, language);
    }
  });

  it("stay away from documents that the setting does not name", async () => {
    const settings = vscode.workspace.getConfiguration("finality.decode");
    await settings.update("hoverIn", ["json"], vscode.ConfigurationTarget.Global);

    assert.deepEqual(await hoverTexts(await open(REFUSAL, "plaintext"), new vscode.Position(0, 40)), []);
    assert.equal((await hoverTexts(await open(REFUSAL, "json"), new vscode.Position(0, 40))).length, 1);
    await settings.update("hoverIn", undefined, vscode.ConfigurationTarget.Global);
  });

  it("hover over a line of 10,000 characters", async () => {
    const document = await open(`${"x1 ".repeat(3_300)}${REFUSAL}`);
    const position = new vscode.Position(0, 9_960);

    const times: number[] = [];
    for (let round = 0; round < 10; round++) {
      const started = performance.now();
      assert.match((await hoverTexts(document, position))[0] ?? "", /Balance is not sufficient/);
      times.push(performance.now() - started);
    }
    print(`a hover took ${Math.min(...times).toFixed(1)} ms, the way to the editor and back included`);
  });

  it("show hovers and links in output channels", async () => {
    // The text of real channels comes from a native module that not every host has.
    const channel = vscode.workspace.registerTextDocumentContentProvider("output", {
      provideTextDocumentContent: () => `Error: ${REFUSAL}`,
    });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse("output:explained"));

    const [text = ""] = await hoverTexts(document, new vscode.Position(0, 30));
    const links = await vscode.commands.executeCommand<readonly vscode.DocumentLink[]>(
      "vscode.executeLinkProvider",
      document.uri,
    );

    assert.match(text, /Balance is not sufficient/);
    const own = links.map(({ target, range }) => [target?.scheme, target?.path, range.start.character]);
    assert.deepEqual(own, [["command", "finality.decode", 7]]);
    assert.equal(links[0]?.tooltip, "Open in Decoder", "the hover tells the cause already");
    channel.dispose();
  });

  it("name errors by the artifacts of the workspace, and follow the files", async () => {
    const explanation = await explained(revertOf("TooHot"), /TooHot/);
    assert.equal(explanation.category, "abi");
    assert.ok(explanation.sources.some((it) => it.includes("Kettle (build/contracts/Kettle.json)")));
    assert.equal(explanation.raw, revertOf("TooHot"));

    writeArtifact("build/contracts/Cup.json", { contractName: "Cup", abi: errorAbi("TooSmall") });
    await explained(revertOf("TooSmall"), /TooSmall/);

    rmSync(join(folder(), "build/contracts/Cup.json"));
    await explained(revertOf("TooSmall"), /not known/);
  });

  it("tell of a broken artifact in one row of the problems", async () => {
    const [row] = await problemsOf(vscode.Uri.file(join(folder(), "build/contracts/Broken.json")), 1);

    assert.match(row?.message ?? "", /^This is no artifact that Finality can use: it is not JSON/);
  });

  it(`take in ${FILES} artifacts while the host goes on with its work`, async () => {
    await explained(revertOf("TooHot"), /TooHot/);
    for (let at = 0; at < FILES; at++) writeArtifact(`artifacts/G${at}.json`, generatedArtifact(at, FILE_BYTES));
    writeArtifact("artifacts/Last.json", { contractName: "Last", abi: errorAbi("TheLast") });

    const longestTurn = watchTurns();
    await explained(revertOf("TheLast"), /TheLast/);
    await explained(revertOf(`Error${FILES - 1}x0`), new RegExp(`Error${FILES - 1}x0`));
    const kept = longestTurn();

    const megabytes = ((FILES * FILE_BYTES) / 1e6).toFixed(0);
    print(`${FILES} artifacts, ${megabytes} MB: the host was kept for at most ${kept.toFixed(1)} ms at a time`);
    rmSync(join(folder(), "artifacts"), { recursive: true });
  });

  it("put problems with quick fixes into the documents that a setting names", async () => {
    const settings = vscode.workspace.getConfiguration("finality.decode");
    await settings.update(
      "diagnosticsIn",
      ["**/answers/*.json", "**/*.finality.jsonc"],
      vscode.ConfigurationTarget.Global,
    );
    writeArtifact("answers/one.json", `[{"result":true}, ${REFUSAL}]`);
    const uri = vscode.Uri.file(join(folder(), "answers/one.json"));
    const document = await vscode.workspace.openTextDocument(uri);

    const [problem] = await problemsOf(uri, 1);
    assert.match(problem?.message ?? "", /^Balance is not sufficient\./);
    const range = problem?.range ?? assert.fail();
    assert.equal(document.getText(range), '"code":"CONTRACT_VALIDATE_ERROR"');
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uri,
      range,
    );
    const titles = actions.map(({ title }) => title);
    assert.ok(titles.includes("Write the message as text") && titles.includes("Open in Decoder"), titles.join());
  });

  it("find mistakes in call files", async () => {
    writeArtifact(
      "tea.finality.jsonc",
      '{ "calls": [ { "contract": "Kettel", "function": "pour", "arguments": [] } ] }',
    );
    const uri = vscode.Uri.file(join(folder(), "tea.finality.jsonc"));
    await vscode.workspace.openTextDocument(uri);

    const [problem] = await problemsOf(uri, 1);

    assert.match(problem?.message ?? "", /^No artifact has a contract "Kettel"/);
  });

  it("open what they are given, and give the explanation back", async () => {
    const explanation = await vscode.commands.executeCommand<Explanation>("finality.decode", { input: REFUSAL });

    assert.equal(explanation.code, "CONTRACT_VALIDATE_ERROR");
    assert.equal(explanation.retry.sameBytes, "after");
  });
});
