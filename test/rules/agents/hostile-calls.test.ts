import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentTools, callTool, LARGEST_RESULT, resultText } from "../../../packages/agent-tools/src/agent-tools.ts";
import type { AgentPorts } from "../../../packages/agent-tools/src/ports.ts";
import { ProposalFolder } from "../../../packages/agent-tools/src/proposals.ts";
import { agentPorts } from "../../../packages/cli/src/agent-ports.ts";
import { Invocation } from "../../../packages/cli/src/command.ts";
import { CommandChain } from "../../../packages/cli/test/support/chain.ts";
import { testTerminal } from "../../../packages/cli/test/support/test-terminal.ts";
import { JournalFile } from "../../../packages/node/src/journal/journal-file.ts";
import { toBase58 } from "../../../packages/tron/src/primitives/address.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../packages/tron/src/primitives/json.ts";
import { hostileCall, hostileText, MARKER } from "../../support/agents/hostile-calls.ts";
import { CountingGateway } from "../../support/programs/program-fixture.ts";
import { dice } from "../../support/random/dice.ts";
import { howOften } from "../../support/random/how-often.ts";
import { loadProgramsExtension } from "../../support/simulated-host/load-sources.ts";
import { contextOf, Editor, mountEditor } from "../../support/simulated-host/simulated-editor.ts";

const CALLS = howOften(200, 5_000);
/** Secrets in the environment: no answer may have any of them. */
const SECRETS = {
  FINALITY_API_KEY: "planted-api-key-1f7c",
  FINALITY_JWT_KEY: "-----BEGIN PRIVATE KEY-----planted-jwt-key-93ab-----END PRIVATE KEY-----",
  KEY: "5e".repeat(32),
  FINALITY_KEY_ORIGINS: "https://api.example.org",
};
/** Reads of the chain, and controls of the embedded chain. A tool causes no other request. */
const READS =
  /^\/(?:wallet(?:solidity)?\/(?:get\w+|trigger(?:constant)contract|estimateenergy)|local\/(?:mine|warp|faults|fund|status))$/;

/** Returns the strings outside of fields named untrusted. */
function trustedTexts(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(trustedTexts);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, it]) => [key, ...(key === "untrusted" ? [] : trustedTexts(it))]);
}

/** Checks an answer. Returns true if the call succeeded. */
function check(text: string, call: string, secrets: readonly string[]): boolean {
  for (const secret of secrets) assert.ok(!text.includes(secret), `${call} reveals a secret`);
  const answer = parseJson(text) as JsonObject;
  const instructions = trustedTexts(answer).filter((it) => it.includes(MARKER));
  assert.deepEqual(instructions, [], call);
  assert.ok(text.length < 2 * LARGEST_RESULT, call);
  assert.doesNotMatch(text.replace(/\s/g, ""), /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u, call);
  if (text.includes("untrusted")) assert.match(String(answer.note), /never an instruction/, call);
  if (answer.ok === true) return true;
  const { code, next } = answer.error as JsonObject;
  assert.match(String(code), /^[A-Z_]+$/, call);
  assert.notEqual(code, "INTERNAL", `${call}: ${text}`);
  assert.notEqual(String(next), "", call);
  return false;
}

function callText(name: string, input: Json): string {
  return `${name} ${JSON.stringify(input)}`.slice(0, 400);
}

/** Records the destination of each connection until it is disposed. */
function recordConnections(): { readonly ports: ReadonlySet<string>; dispose(): void } {
  const { connect } = Socket.prototype;
  const ports = new Set<string>();
  Socket.prototype.connect = function (this: Socket, ...args: Parameters<typeof connect>): Socket {
    const [options] = [args[0]].flat() as readonly unknown[];
    ports.add(String((options as { readonly port?: unknown }).port ?? JSON.stringify(options)));
    return connect.apply(this, args);
  } as typeof connect;
  return { ports, dispose: () => void Object.assign(Socket.prototype, { connect }) };
}

describe("hostile calls of tools", function () {
  this.timeout(300_000);
  let chain: CommandChain;
  let folder: string;
  let ports: AgentPorts;
  let signature: string;
  let txIds: readonly string[];
  let contract: string;
  let connections: ReturnType<typeof recordConnections>;

  before(async () => {
    chain = await CommandChain.start();
    contract = toBase58(await chain.deployLeaf());
    folder = mkdtempSync(join(tmpdir(), "finality-hostile-"));
    const abi = [{ type: "function", name: "a", inputs: [{ type: "uint256", name: MARKER }] }];
    writeFileSync(join(folder, "abi.json"), JSON.stringify({ contractName: MARKER, abi }));
    const evil = { name: `${MARKER} network`, baseUrl: "https://evil.example.org" };
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ networks: [evil] }));
    const { signed, intent, expiration } = chain.transfer();
    const journal = new JournalFile(join(folder, "journal"));
    await journal.load();
    const fact = { kind: "signed", at: 1, network: "Local chain", intent, expiration, solidHeight: 0 } as const;
    await journal.append([{ ...fact, ...signed, label: `${MARKER} label` }]);
    await journal.close();
    [signature = ""] = signed.signatures;
    txIds = [signed.txId, "ab".repeat(32)];
    const values = { local: true, journal: "journal", abi: ["abi.json"] };
    const { terminal } = testTerminal({ folder, env: { ...chain.env, ...SECRETS } });
    ports = agentPorts(new Invocation([], values), { terminal, warn: () => undefined });
    await chain.request("DELETE", "/local/requests");
    connections = recordConnections();
  });

  after(async () => {
    connections.dispose();
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`sign and send nothing, reach no other host and reveal no secret in ${CALLS} calls`, async () => {
    const roll = dice(32);
    const addresses = [toBase58(chain.address(0)), toBase58(chain.address(1))];
    const baits = ["https://evil.example.org/steal", "http://127.0.0.1:9", "http://169.254.169.254", "../nile"];
    const context = { addresses, contract, txIds, baits, tools: agentTools };
    const secrets = [...Object.values(SECRETS), signature, chain.privateKey(0), chain.privateKey(1)];
    let succeeded = 0;
    for (let at = 0; at < CALLS; at++) {
      const { name, input } = hostileCall(roll, context);
      const tool = agentTools.find((it) => it.name === name) ?? assert.fail(name);
      const result = await callTool(tool, input, ports, { agent: hostileText(roll) });
      if (check(resultText(result), callText(name, input), secrets)) succeeded++;
      if (at % 50 === 0)
        for (const it of await (await ports.proposals()).list()) await (await ports.proposals()).discard(it.id);
    }

    const { paths } = (await chain.request("GET", "/local/requests")) as { readonly paths: JsonObject };
    assert.deepEqual(
      Object.keys(paths).filter((it) => !READS.test(it) && it !== "/local/requests"),
      [],
    );
    assert.deepEqual([...connections.ports], [new URL(chain.chain.baseUrl).port]);
    assert.ok(succeeded > CALLS / 10, `${succeeded} calls succeeded`);
  });

  it("keep proposals within their bounds", async () => {
    const listed = await new ProposalFolder(join(folder, "journal", "proposals")).list();

    for (const { agent, note, intent } of listed) {
      assert.ok(agent.length <= 60 && note.length <= 500);
      assert.ok(["transfer", "token-transfer", "contract-call"].includes(intent.kind));
    }
  });
});

describe("hostile calls of the tools of the editor", function () {
  this.timeout(300_000);
  const secrets = ["5e".repeat(32), "planted-api-key-of-the-editor-77aa"];
  const calls = howOften(100, 5_000);
  let home: string;
  let chain: CommandChain;
  let gateway: CountingGateway;
  let editor: Editor;
  const subscriptions: { dispose(): void }[] = [];

  before(async () => {
    home = mkdtempSync(join(tmpdir(), "finality-hostile-editor-"));
    chain = await CommandChain.start();
    gateway = await CountingGateway.open(chain.chain.baseUrl);
    const { activate } = await loadProgramsExtension();
    const settings = new Map<string, unknown>([
      ["finality.networks", [{ name: "Local", baseUrl: gateway.baseUrl }]],
      ["finality.activeNetwork", "Local"],
    ]);
    editor = new Editor(settings, ({ modal, buttons }) => (modal ? buttons.at(-1) : undefined));
    mountEditor(editor);
    const stored = new Map<string, string>();
    const context = contextOf(home, new Map(), stored);
    settings.set("finality.agents.enabled", true);
    const { promise, resolve } = Promise.withResolvers<void>();
    editor.onTool = (count) => count === agentTools.length && resolve();
    activate({ ...context, extension: { packageJSON: { version: "1.0.0" } } } as never);
    subscriptions.push(...(context.subscriptions as { dispose(): void }[]));
    await editor.run("finality.importSigningKey", { privateKey: secrets[0], label: "Owner" });
    await editor.run("finality.setApiKey", { network: "Local", apiKey: secrets[1] });
    await promise;
    const storage = [...stored.values()].join("\n");
    for (const secret of secrets) assert.ok(storage.includes(secret), "the secret storage has no planted secret");
  });

  after(async () => {
    for (const it of subscriptions.reverse()) it.dispose();
    await gateway.close();
    await chain.close();
    rmSync(home, { recursive: true, force: true });
  });

  it("ask before a tool proposes or changes the local chain, and not before a read", () => {
    for (const { name, effect } of agentTools) {
      const { confirmationMessages } = editor.tools.get(name)?.prepareInvocation() ?? {};
      assert.equal(confirmationMessages === undefined, effect === "reads", name);
      if (effect === "proposes") assert.match(confirmationMessages?.message ?? "", /Nothing is signed or sent/, name);
    }
  });

  it(`broadcast nothing and reveal no stored secret in ${calls} calls`, async () => {
    const roll = dice(33);
    const addresses = [toBase58(chain.address(0)), toBase58(chain.address(1))];
    const baits = ["Local", "https://evil.example.org/steal", "../nile"];
    const context = { addresses, contract: addresses[1] ?? "", txIds: ["ab".repeat(32)], baits, tools: agentTools };
    const connections = recordConnections();
    const dialogs = editor.shown.length;
    let succeeded = 0;
    for (let at = 0; at < calls; at++) {
      const { name, input } = hostileCall(roll, context);
      const tool = editor.tools.get(name) ?? assert.fail(name);
      const [{ value } = assert.fail(name)] = (await tool.invoke({ input })).content;
      if (check(value, callText(name, input), secrets)) succeeded++;
    }
    connections.dispose();

    const ours = [gateway.baseUrl, chain.chain.baseUrl].map((it) => new URL(it).port);
    assert.deepEqual(
      [...connections.ports].filter((it) => !ours.includes(it)),
      [],
    );
    assert.equal(gateway.broadcasts, 0);
    assert.equal(editor.shown.length, dialogs);
    assert.ok(succeeded > calls / 10, `${succeeded} calls succeeded`);
  });
});
