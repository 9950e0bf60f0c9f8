import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { CheckResult } from "../../packages/client/src/gateway/access/connection-checks.ts";
import type { AccountResult } from "../../src/features/signing-keys/add-keys.ts";
import type { EnergyEstimate, Explanation, FinalityApi, TrackedTransaction } from "../../src/public/api.ts";
import { startTenPaths, TEN_PATHS, type TenPaths, type ToOthers } from "../support/gateway/minimal-gateway.ts";
import { addArtifacts } from "./artifacts.ts";
import { answering } from "./dialogs.ts";
import { lensesOf, openSource, type Sent } from "./energy-fixture.ts";
import { type GuardedChain, startGuardedChain } from "./guarded-chain.ts";
import { finality, until } from "./local-chain.ts";
import { Mocha } from "./mocha.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);

/** A line of the report. */
function print(words: string): void {
  Mocha.reporters.Base.consoleLog(`      ${words}`);
}

const API_KEY = "the-right-key";
const RECIPIENT = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";

/** Before the same chain stand a gateway that serves everything, one of the ten listed paths, and one silent to the rest. */
const GATEWAYS: readonly { readonly network: string; readonly toOthers: ToOthers }[] = [
  { network: "Full", toOthers: "everything passes" },
  { network: "Ten, 404", toOthers: "404" },
  { network: "Ten, silent", toOthers: "silence" },
];

describe("minimal gateway with JWT and API key", () => {
  const folder = mkdtempSync(join(tmpdir(), "finality-ten-"));
  const label = `Payer ${randomBytes(6).toString("hex")}`;
  const fronts = new Map<string, TenPaths>();
  /** Number of requests of each flow, and requests to other paths, by network. */
  const costs = new Map<string, Map<string, { listed: number; beyond: number }>>();
  let api: FinalityApi;
  let chain: GuardedChain;
  let account: AccountResult;
  let amount = 1;

  before(async function () {
    this.timeout(120_000);
    addArtifacts();
    api = await finality();
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    writeFileSync(join(folder, "public.pem"), publicKey.export({ type: "spki", format: "pem" }));
    const jwt = ["--jwt-public-key", join(folder, "public.pem"), "--jwt-kid", "key-1", "--audience", "chain.test"];
    chain = await startGuardedChain(...jwt, "--api-key", API_KEY);
    account = await run<AccountResult>("generateSigningKey", { label });
    await control("fund", { address: account.address, amount: "90000000000", mine: true });
    const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const { network, toOthers } of GATEWAYS) {
      const front = await startTenPaths(chain.baseUrl, toOthers);
      fronts.set(network, front);
      await run("addNetwork", {
        name: network,
        baseUrl: front.url,
        audience: "chain.test",
        apiKey: API_KEY,
        jwt: true,
      });
      await run("importJwtKey", { network, privateKeyPem, keyId: "key-1" });
    }
  });

  after(async () => {
    printCosts();
    for (const { network } of GATEWAYS) await answering("Remove", () => run("removeNetwork", { network }));
    await answering("Remove", () => run("removeSigningKey", { address: account.address }));
    for (const front of fronts.values()) await front[Symbol.asyncDispose]();
    await chain[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const control = async (name: string, body: object): Promise<void> => {
    const answer = await fetch(`${chain.baseUrl}/local/${name}`, { method: "POST", body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.text());
  };
  const frontOf = (network: string): TenPaths => fronts.get(network) ?? assert.fail(network);
  const state = (txId: string, kind: TrackedTransaction["state"]["kind"]): Promise<TrackedTransaction> =>
    until(api, txId, (it) => it.state.kind === kind);

  /** Signs and sends; each payment is another amount, so that none is equal to another. */
  async function signed(command: string, argument: object): Promise<Sent & { readonly dialogs: string }> {
    let sent: Sent | undefined;
    const shown = await answering("Sign and Send", async () => {
      sent = await run<Sent>(command, argument);
    });
    assert.ok(sent !== undefined, command);
    return { ...sent, dialogs: shown.map(({ title, detail }) => `${title}\n${detail}`).join("\n") };
  }

  const pay = (network: string) =>
    signed("sendCoins", {
      from: account.address,
      to: RECIPIENT,
      amount: `0.${String(amount++).padStart(6, "0")}`,
      network,
    });

  /** Everything that a person does, as it has to work behind each of the gateways. */
  const flows: Readonly<Record<string, (network: string) => Promise<void>>> = {
    "Test Connection": async (network) => {
      const findings = await run<readonly CheckResult[]>("testConnection", { network });
      assert.deepEqual(
        findings.filter(({ status }) => status === "failed"),
        [],
      );
    },

    "Show Balance": async (network) => {
      const { balance } = await run<{ balance: string }>("showBalance", { account: account.address, network });
      assert.match(balance, /^[1-9]\d{9,}$/);
    },

    "Send Coins to solidified": async (network) => {
      const { txId, dialogs } = await pay(network);
      assert.equal(/an assumption.*\/wallet\/getaccount/.test(dialogs), network !== "Full", dialogs);
      const { state: last } = await state(txId, "solidified");
      assert.deepEqual(last.kind === "solidified" && last.outcome, { kind: "success" });
    },

    "deploy and call with estimates": async (network) => {
      const initial = `1000${amount++}`;
      const leaf = await signed("deployContract", { contract: "Leaf", arguments: [initial], from: label, network });
      await state(leaf.txId, "solidified");
      const call = { contract: leaf.address, function: "transfer", arguments: [RECIPIENT, "7"], from: label, network };
      const { txId, dialogs } = await signed("callContract", call);
      assert.match(dialogs, /energy/);
      await state(txId, "solidified");
      const read = { contract: leaf.address, function: "balanceOf", arguments: [RECIPIENT], network };
      assert.deepEqual((await run<{ values: unknown }>("readContract", read)).values, ["7"]);
      const result = await run<{ sentence: string }>("showResult", { txId });
      assert.match(result.sentence, /returned/);
    },

    lenses: async (network) => {
      const call = { contract: "Leaf", function: "transfer", arguments: [RECIPIENT, "5"], caller: label };
      const calls = { network, calls: [{ ...call, feeLimit: 15_000_000 }] };
      const document = await openSource(`ten-${network.replaceAll(/\W/g, "")}.finality.jsonc`, JSON.stringify(calls));
      const [estimate] = await run<EnergyEstimate[]>("refreshEstimates", { uri: document.uri.toString() });
      assert.equal(estimate?.kind, "estimated", JSON.stringify(estimate));
      const words = (await lensesOf(document)).map(({ command }) => command?.title ?? "").join("\n");
      assert.match(words, /[\d,]+ energy · /);
    },

    "unknown outcome, found": async (network) => {
      frontOf(network).broadcasts = "answer lost";
      const { txId } = await pay(network);
      frontOf(network).broadcasts = "pass";
      const { attempts } = await state(txId, "solidified");
      assert.deepEqual(
        attempts.map((it) => it.answer?.kind),
        ["unknown"],
      );
    },

    "proof of absence and replacement": async (network) => {
      frontOf(network).broadcasts = "lost";
      const { txId } = await pay(network);
      frontOf(network).broadcasts = "pass";
      assert.equal(api.transactions.get(txId)?.state.kind, "unknown");
      await assert.rejects(async () => run("createReplacement", { txId }), /Nothing was replaced/);
      await control("warp", { ms: 61_000 });
      await state(txId, "proven-absent");
      const proof = await run<{ json: string }>("exportProof", { txId });
      const rechecked = await run<{ kind: string }>("recheckProof", { proof: proof.json });
      assert.equal(rechecked.kind, "confirmed");
      const next = await signed("createReplacement", { txId });
      await state(next.txId, "solidified");
      assert.deepEqual(api.transactions.get(txId)?.state, { kind: "replaced", by: next.txId });
    },

    explanations: async (network) => {
      const { txId } = await pay(network);
      await state(txId, "solidified");
      const decoded = await run<Explanation>("decodeTransaction", { txId, network });
      assert.match(JSON.stringify(decoded), /[Tt]ransfer/);
      const { markdown } = await run<{ markdown: string }>("copyReport", { txId });
      assert.match(markdown, /final|solidified/i);
    },
  };

  for (const { network } of GATEWAYS) {
    for (const [name, flow] of Object.entries(flows)) {
      it(`supports ${name} (${network})`, async function () {
        this.timeout(180_000);
        frontOf(network).counted();
        await flow(network);
        note(network, name, frontOf(network).counted());
      });
    }
  }

  it("names the missing path for unsupported features", async () => {
    const network = "Ten, 404";
    const refused = { code: "PATH_NOT_SERVED" };
    await assert.rejects(async () => run("showPermissions", { address: account.address, network }), refused);
    const vote = { from: label, network, votes: { [RECIPIENT]: "1" } };
    await assert.rejects(async () => run("vote", vote), /\/wallet\/(?:listwitnesses|getaccount)/);
  });

  it("answers only the ten paths", () => {
    for (const { network } of GATEWAYS.slice(1)) {
      const flowsThere = [...(costs.get(network)?.values() ?? [])];
      assert.ok(flowsThere.length > 0 && flowsThere.every(({ listed }) => listed > 0), network);
    }
  });

  function note(network: string, flow: string, counted: ReadonlyMap<string, number>): void {
    const [listed, beyond] = [true, false].map((isListed) =>
      [...counted].reduce((sum, [path, times]) => (TEN_PATHS.includes(path) === isListed ? sum + times : sum), 0),
    );
    const here = costs.get(network) ?? new Map();
    costs.set(network, here.set(flow, { listed, beyond }));
  }

  function printCosts(): void {
    const names = GATEWAYS.map(({ network }) => network);
    print(["Requests per flow (ten paths + others)", ...names].join(" | "));
    for (const flow of Object.keys(flows)) {
      const figures = names
        .map((it) => costs.get(it)?.get(flow))
        .map((it) => (it ? `${it.listed} + ${it.beyond}` : "-"));
      print([flow, ...figures].join(" | "));
    }
  }
});
