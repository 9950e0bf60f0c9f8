import assert from "node:assert/strict";
import * as vscode from "vscode";
import {
  type EnergyFixture,
  hoverAt,
  lensesOf,
  openEnergyFixture,
  openSource,
  positionOf,
  run,
  type Sent,
  untilRows,
} from "./energy-fixture.ts";
import { endLocalChain, until } from "./local-chain.ts";

const CALLS = `{
  // Two calls, reviewed like code.
  "network": "Local chain",
  "calls": [
    { "label": "Leaves for Carol", "contract": "Leaf", "function": "transfer", "arguments": ["Carol", "1000000"],
      "caller": "Alice", "feeLimit": 15000000 },
    { "contract": "Leaf", "function": "balanceOf", "arguments": ["Carol"], "callValue": 2500000, "tokenId": 1000001,
      "tokenValue": 3 }
  ]
}
`;

/** An incomplete call. */
const half = (call: string, network = "Local chain"): string =>
  `{ "network": "${network}", "calls": [\n  { "contract": "Leaf", ${call} }\n] }\n`;

const problemsOf = ({ uri }: vscode.TextDocument): readonly vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Finality");

describe("call files", () => {
  let fixture: EnergyFixture;

  before(async () => {
    fixture = await openEnergyFixture();
  });

  after(endLocalChain);

  /** Returns the completions at the bar, of the extension and of the schema, as `name detail`. */
  async function offeredAt(name: string, text: string): Promise<readonly string[]> {
    const document = await openSource(name, text.replace("|", ""));
    const position = document.positionAt(text.indexOf("|"));
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      ...[document.uri, position],
    );
    return list.items.map(({ label }) => (typeof label === "string" ? label : `${label.label} ${label.description}`));
  }

  /**
   * Waits until a completion at the bar begins with a text, and returns all. The first call file loads the provider and
   * the artifacts.
   */
  async function offeredOnce(begins: string, name: string, text: string): Promise<readonly string[]> {
    for (;;) {
      const offered = await offeredAt(name, text);
      if (offered.some((it) => it.startsWith(begins))) return offered;
    }
  }

  it("complete networks, contracts, functions, accounts and arguments with their ABI types", async () => {
    const networks = await offeredOnce("Local chain", "a.finality.jsonc", `{ "network": "|", "calls": [] }`);
    const contracts = await offeredOnce("Leaf ", "b.finality.jsonc", `{ "calls": [{ "contract": "|" }] }`);
    const functions = await offeredAt("c.finality.jsonc", half(`"function": "|"`));
    const callers = await offeredAt("d.finality.jsonc", half(`"function": "transfer", "caller": "|"`));
    const receivers = await offeredAt("e.finality.jsonc", half(`"function": "transfer", "arguments": ["|"]`));
    const amounts = await offeredAt("f.finality.jsonc", half(`"function": "transfer", "arguments": ["Bob", |]`));
    const lists = await offeredAt("g.finality.jsonc", half(`"function": "transfer", "arguments": |`));

    assert.ok(networks.includes(`Local chain ${fixture.baseUrl}`), networks.join());
    assert.ok(
      contracts.some((it) => /^Leaf .*build\/contracts\/Leaf\.json$/.test(it)),
      contracts.join(),
    );
    assert.ok(functions.includes("transfer (address to, uint256 value)"), functions.join("\n"));
    assert.ok(
      callers.some((it) => /^Carol T\w{33}$/.test(it)),
      callers.join(),
    );
    assert.ok(
      receivers.some((it) => /^Bob address to · T\w{33}$/.test(it)),
      receivers.join(),
    );
    assert.ok(amounts.includes("value uint256 value"), amounts.join());
    assert.ok(lists.includes("[to, value] address, uint256"), lists.join());
  });

  it("complete contracts, functions, errors and events of a setup and an expectation, which the network need not have", async () => {
    const setup = `"setup": [{ "deploy": "Leaf", "name": "Leaves" }]`;
    const call = (rest: string): string => `{ ${setup}, "calls": [{ "contract": "Leaves", ${rest} }] }`;
    const deployed = await offeredOnce("Leaf ", "s.finality.jsonc", `{ "setup": [{ "deploy": "|" }] }`);
    const contracts = await offeredAt("t.finality.jsonc", `{ ${setup}, "calls": [{ "contract": "|" }] }`);
    const functions = await offeredAt("u.finality.jsonc", call(`"function": "|"`));
    const events = await offeredAt("v.finality.jsonc", call(`"expect": { "events": [{ "event": "|" }] }`));
    const fields = await offeredAt("w.finality.jsonc", call(`"function": "owner", "expect": { | }`));
    const good = await openSource("x.finality.jsonc", call(`"function": "owner", "caller": "Alice"`));
    const bad = await openSource("y.finality.jsonc", call(`"function": "ownre", "caller": "Alice"`));
    await untilRows(() => problemsOf(bad).length > 0);

    assert.ok(
      deployed.some((it) => /^Leaf .*Leaf\.json$/.test(it)),
      deployed.join(),
    );
    assert.ok(contracts.includes("Leaves Leaf, of the setup"), contracts.join());
    assert.ok(functions.includes("transfer (address to, uint256 value)"), functions.join());
    assert.ok(events.includes("Transfer event of the contract"), events.join());
    for (const field of ["result", "revert", "events", "energyAtMost"])
      assert.ok(
        fields.some((it) => it.startsWith(field)),
        fields.join(),
      );
    assert.deepEqual(problemsOf(good), []);
    assert.match(problemsOf(bad)[0]?.message ?? "", /has no function "ownre"/);
  });

  it("complete the field names of the schema with descriptions", async () => {
    const fields = await offeredAt("h.finality.jsonc", half(`"function": "transfer", |`));

    for (const field of ["arguments", "caller", "feeLimit", "callValue", "tokenId", "tokenValue"])
      assert.ok(
        fields.some((it) => it.startsWith(field)),
        `${field} in ${fields.join()}`,
      );
  });

  it("explain a value on hover", async () => {
    const document = await openSource("hover.finality.jsonc", CALLS);

    assert.match(await hoverAt(document, '"Local chain"'), new RegExp(`Network at ${fixture.baseUrl}`));
    assert.match(await hoverAt(document, '"Leaf"'), /Leaf\.json\)\s+At T\w{33}: it was deployed from here/);
    assert.match(await hoverAt(document, '"transfer"'), /function transfer\(address to, uint256 value\) nonpayable/);
    assert.match(await hoverAt(document, '"Carol"'), /`address` to\s+T\w{33}/);
    assert.match(await hoverAt(document, '"1000000"'), /`uint256` value/);
    assert.match(await hoverAt(document, '"Alice"'), /T\w{33}/);
    assert.match(await hoverAt(document, "15000000"), /15 coins/);
    assert.match(await hoverAt(document, "2500000"), /2\.5 coins/);
  });

  it("report invalid calls and unknown names at their positions", async () => {
    const good = await openSource("good.finality.jsonc", CALLS);
    const document = await openSource(
      "bad.finality.jsonc",
      `{ "network": "Local chain", "calls": [
  { "contract": "Laef", "function": "transfer", "arguments": [] },
  { "contract": "Leaf", "function": "transfre", "arguments": [] },
  { "contract": "Leaf", "function": "transfer", "arguments": ["Bob"] },
  { "contract": "Leaf", "function": "transfer", "arguments": ["Bobby", "1"] },
  { "contract": "Leaf", "function": "transfer", "arguments": ["Bob", "many"] },
  { "contract": "Leaf", "function": "totalSupply", "arguments": [], "caller": "Alcie" },
  { "contract": "Leaf", "function": "totalSupply", "arguments": [], "privateKey": "no" },
  { "contract": "Leaf" }
] }\n`,
    );
    await untilRows(() => problemsOf(document).length >= 8);
    const rows = problemsOf(document).toSorted((left, right) => left.range.start.line - right.range.start.line);

    assert.deepEqual(
      rows.map(({ range, severity }) => `${severity} ${document.getText(range)}`),
      [
        '1 "Laef"',
        '1 "transfre"',
        '1 "transfer"',
        '1 "Bobby"',
        '1 "many"',
        '1 "Alcie"',
        '0 "privateKey"',
        '0 { "contract": "Leaf" }',
      ],
    );
    assert.match(rows[0]?.message ?? "", /^No artifact has a contract "Laef"\. Compile it, write an address/);
    assert.match(rows[2]?.message ?? "", /^transfer of Leaf takes 2 arguments; 1 are given\.$/);
    assert.match(rows[5]?.message ?? "", /^"Alcie" is neither an account name nor an address/);
    assert.deepEqual(problemsOf(good), []);
    const fixes = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      rows[1]?.range,
    );
    assert.ok(
      fixes.some(({ title }) => title === 'Change to "transfer"'),
      fixes.map(({ title }) => title).join(),
    );
  });

  it("are validated by the schema", async () => {
    const document = await openSource("schema.finality.jsonc", half(`"function": "transfer", "feeLimit": -1`));

    const ofSchema = (): readonly vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source !== "Finality");
    await untilRows(() => ofSchema().length > 0);

    assert.equal(document.languageId, "jsonc");
    assert.ok(ofSchema().every(({ range }) => document.getText(range) === "-1"));
  });

  it("send a call from its lens, with the account and limit of the file", async () => {
    const document = await openSource("send.finality.jsonc", CALLS);
    const lenses = await lensesOf(document);
    const sending = lenses.filter(({ command }) => command?.command === "finality.sendCallOfFile");
    assert.deepEqual(
      sending.map(({ command, range }) => `${range.start.line + 1} ${command?.title}`),
      ["5 $(play)\u00a0Send…", "7 $(eye)\u00a0Read"],
    );

    const place = { uri: document.uri.toString(), offset: document.offsetAt(positionOf(document, '{ "label"')) };
    const { txId } = await run<Sent>("sendCallOfFile", place);

    const sent = await until(
      fixture.api,
      txId,
      ({ state }) => state.kind === "included" || state.kind === "solidified",
    );
    assert.equal(sent.label, "Leaves for Carol");
    const { values } = await run<{ values: unknown }>("readContract", {
      contract: fixture.leaf.address,
      function: "balanceOf",
      arguments: ["Carol"],
    });
    assert.deepEqual(values, ["1000000"]);
  });

  it("pass token values to the estimate", async () => {
    const document = await openSource("token.finality.jsonc", CALLS.replace('"callValue": 2500000, ', ""));
    const place = { uri: document.uri.toString(), offset: document.offsetAt(positionOf(document, '{ "contract"')) };

    const { kind, text } = await run<{ kind: string; text: string }>("estimateEnergy", place);

    assert.notEqual(kind, "estimated");
    assert.match(text, /^(would|not available)/);
  });
});
