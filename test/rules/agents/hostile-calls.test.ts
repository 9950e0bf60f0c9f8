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
import { dice } from "../../support/random/dice.ts";
import { howOften } from "../../support/random/how-often.ts";

const CALLS = howOften(700, 5_000, 200);
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

describe("hostile calls of tools", function () {
  this.timeout(300_000);
  let chain: CommandChain;
  let folder: string;
  let ports: AgentPorts;
  let signature: string;
  let txIds: readonly string[];
  let contract: string;
  const connected: string[] = [];
  const { connect } = Socket.prototype;

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
    Socket.prototype.connect = function (this: Socket, ...args: Parameters<typeof connect>): Socket {
      connected.push(JSON.stringify(args[0]));
      return connect.apply(this, args);
    } as typeof connect;
  });

  after(async () => {
    Socket.prototype.connect = connect;
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Checks an answer. Returns true if the call succeeded. */
  function check(text: string, call: string): boolean {
    const secrets = [...Object.values(SECRETS), signature, chain.privateKey(0), chain.privateKey(1)];
    for (const secret of secrets) assert.ok(!text.includes(secret), `${call} reveals a secret`);
    const answer = parseJson(text) as JsonObject;
    const instructions = trustedTexts(answer).filter((it) => it.includes(MARKER));
    assert.deepEqual(instructions, [], call);
    assert.ok(text.length < 2 * LARGEST_RESULT, call);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
    assert.doesNotMatch(text, /[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069]/, call);
    if (text.includes("untrusted")) assert.match(String(answer.note), /never an instruction/, call);
    if (answer.ok === true) return true;
    const { code, next } = answer.error as JsonObject;
    assert.match(String(code), /^[A-Z_]+$/, call);
    assert.notEqual(code, "INTERNAL", `${call}: ${text}`);
    assert.notEqual(String(next), "", call);
    return false;
  }

  it(`sign and send nothing, reach no other host and reveal no secret in ${CALLS} calls`, async () => {
    const roll = dice(32);
    const addresses = [toBase58(chain.address(0)), toBase58(chain.address(1))];
    const baits = ["https://evil.example.org/steal", "http://127.0.0.1:9", "http://169.254.169.254", "../nile"];
    const context = { addresses, contract, txIds, baits, tools: agentTools };
    let succeeded = 0;
    for (let at = 0; at < CALLS; at++) {
      const { name, input } = hostileCall(roll, context);
      const tool = agentTools.find((it) => it.name === name) ?? assert.fail(name);
      const result = await callTool(tool, input, ports, { agent: hostileText(roll) });
      if (check(resultText(result), `${name} ${JSON.stringify(input)}`.slice(0, 400))) succeeded++;
      if (at % 50 === 0)
        for (const it of await (await ports.proposals()).list()) await (await ports.proposals()).discard(it.id);
    }

    const { paths } = (await chain.request("GET", "/local/requests")) as { readonly paths: JsonObject };
    assert.deepEqual(
      Object.keys(paths).filter((it) => !READS.test(it) && it !== "/local/requests"),
      [],
    );
    const { port } = new URL(chain.chain.baseUrl);
    assert.deepEqual(
      connected.filter((it) => !it.includes(`"port":"${port}"`) && !it.includes(`"port":${port}`)),
      [],
    );
    assert.ok(connected.length > 0 && succeeded > CALLS / 10, `${succeeded} calls succeeded`);
  });

  it("keep proposals within their bounds", async () => {
    const listed = await new ProposalFolder(join(folder, "journal", "proposals")).list();

    for (const { agent, note, intent } of listed) {
      assert.ok(agent.length <= 60 && note.length <= 500);
      assert.ok(["transfer", "token-transfer", "contract-call"].includes(intent.kind));
    }
  });
});
