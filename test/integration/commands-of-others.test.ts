import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { CheckResult } from "../../packages/client/src/gateway/access/connection-checks.ts";
import type { NetworkProfile } from "../../packages/client/src/gateway/network.ts";
import type { AccountResult } from "../../src/features/signing-keys/add-keys.ts";
import { commandTable } from "../../src/host/commands/command-table.ts";
import type { CommandId } from "../../src/host/contributions.ts";
import { answerOf, askChain, isBroadcast, openProxy } from "../browser/proxy.ts";
import { json, startServer, type TestServer } from "../support/http/http-server.ts";
import { answering } from "./dialogs.ts";
import { startGuardedChain } from "./guarded-chain.ts";
import { finality } from "./local-chain.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const settings = () => vscode.workspace.getConfiguration("finality");
const setting = (): readonly NetworkProfile[] => settings().get<NetworkProfile[]>("networks") ?? [];

const canary = randomBytes(12).toString("hex");
const API_KEY = `api-key-${canary}`;
const NETWORK = `Bank ${canary}`;
const newPem = (): string =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** The report of a transaction, when it says this. */
async function reportThatSays(txId: string, words: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const look = async (): Promise<void> => {
    const { markdown } = await run<{ markdown: string }>("copyReport", { txId });
    if (markdown.includes(words)) resolve(markdown);
  };
  const subscription = (await finality()).transactions.onDidChange(() => void look());
  await look();
  return await promise.finally(() => subscription.dispose());
}

/** As another extension, a task input, a keybinding or a link calls it: with all that a command needs. */
describe("commands called by other extensions", () => {
  let own: TestServer;
  let other: TestServer;
  let account: AccountResult;
  /** Its key signs on local chains alone. */
  let strict: AccountResult;

  before(async () => {
    await finality();
    own = await startServer(json({ Error: "not today" }));
    other = await startServer(json({ Error: "gotcha" }));
    await run("addNetwork", { name: NETWORK, baseUrl: own.url, audience: "chain.test", apiKey: API_KEY });
    await run("importJwtKey", { network: NETWORK, privateKeyPem: newPem(), keyId: "key-1" });
    await run("importJwtKey", { network: NETWORK, privateKeyPem: newPem(), keyId: "key-2", name: "Spare" });
    account = await run<AccountResult>("generateSigningKey", { label: `Savings ${canary}` });
    strict = await run<AccountResult>("generateSigningKey", { label: `Strict ${canary}` });
    await run("changeKeyPolicy", { address: strict.address, policy: "never-real" });
  });

  after(async () => {
    await answering("Remove", () => run("removeNetwork", { network: NETWORK }));
    for (const { address } of [account, strict]) await answering("Remove", () => run("removeSigningKey", { address }));
    await own[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  /** Headers of the last request to a server. */
  const last = (server: TestServer) => server.requests.at(-1)?.headers ?? {};
  const test = () => run<readonly CheckResult[]>("testConnection", { network: NETWORK });

  /** The keys are there, and go where they went. */
  async function assertNothingHappened(before: string): Promise<void> {
    assert.equal(JSON.stringify(setting()), before);
    await test();
    assert.equal(last(own)["chain-pro-api-key"], API_KEY);
    assert.match(last(own).authorization ?? "", /^Bearer eyJ/);
    assert.equal(await run("copyAddress", { address: account.address }), account.address);
    assert.deepEqual(other.requests, []);
  }

  /** Full arguments for each command that says *asks*, so that nothing but the dialog can stop it. */
  const cases: { readonly [id: string]: () => readonly object[] } = {
    "finality.editNetwork": () => [
      { network: NETWORK, baseUrl: other.url, confirmed: true },
      { network: NETWORK, solidityBaseUrl: other.url },
      { network: NETWORK, fallbackUrls: [other.url] },
      { network: NETWORK, apiKeyHeader: "X-OTHER" },
      { network: NETWORK, production: true },
    ],
    "finality.removeNetwork": () => [{ network: NETWORK, confirmed: true }],
    "finality.setApiKey": () => [
      { network: NETWORK, apiKey: "mine", confirmed: true },
      { network: NETWORK, apiKey: "" },
    ],
    "finality.renameJwtKey": () => [{ network: NETWORK, key: "Key 1", keyId: "key-9" }],
    "finality.useJwtKey": () => [{ network: NETWORK, key: "Spare" }],
    "finality.removeJwtKey": () => [
      { network: NETWORK, key: "Key 1", confirmed: true },
      { network: NETWORK, key: "Spare", confirmed: true },
    ],
    "finality.rotateJwtKey": () => [{ network: NETWORK, keyId: "key-3" }],
    "finality.setTokenLifetime": () => [{ network: NETWORK, seconds: "endless" }],
    "finality.exportSigningKey": () => [{ address: account.address, confirmed: true }],
    "finality.changeKeyPolicy": () => [
      { address: strict.address, policy: "always-ask", confirmed: true },
      { address: strict.address, policy: "retype-above", above: 1 },
    ],
    "finality.nameAddress": () => [{ address: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp", name: "Rewards" }],
    "finality.setClientCertificate": () => [{ network: NETWORK, file: "" }],
    "finality.removeSigningKey": () => [{ address: account.address, confirmed: true }],
  };

  it("H7: each tested command documents its confirmation", () => {
    for (const id of Object.keys(cases)) assert.match(commandTable[id as CommandId].others.confirmation, /^asks/, id);
  });

  for (const [id, argumentsOf] of Object.entries(cases)) {
    it(`H7: ${id} prompts for every caller, and does nothing when declined`, async () => {
      for (const argument of argumentsOf()) {
        const before = JSON.stringify(setting());

        const shown = await answering(undefined, async () => {
          assert.equal(await vscode.commands.executeCommand(id, argument), undefined);
        });

        assert.equal(shown.length, 1, `${id} ${Object.keys(argument)}`);
        assert.ok(shown[0]?.buttons.length);
        await assertNothingHappened(before);
      }
    });
  }

  it("H7: sends no key to a URL that a program wrote into the settings, and explains why", async () => {
    const networks = setting();
    const edited = networks.map((it) => (it.name === NETWORK ? { ...it, baseUrl: other.url } : it));
    await settings().update("networks", edited, vscode.ConfigurationTarget.Global);

    const [finding] = await test();

    assert.equal(finding?.status, "failed");
    assert.match(finding?.sentence ?? "", new RegExp(`${own.url}, for which it was entered`));
    await assert.rejects(
      async () => run("showBalance", { account: account.address, network: NETWORK }),
      /Edit the network: set its URL back/,
    );
    assert.deepEqual(other.requests, []);
    await settings().update("networks", networks, vscode.ConfigurationTarget.Global);
    await test();
    assert.equal(last(own)["chain-pro-api-key"], API_KEY);
  });

  it("H7: requests a fallback URL that a program wrote into the settings without keys", async () => {
    await using further = await startServer(json({ Error: "hello" }));
    const networks = setting();
    const edited = networks.map((it) => (it.name === NETWORK ? { ...it, fallbackUrls: [further.url] } : it));
    await settings().update("networks", edited, vscode.ConfigurationTarget.Global);

    const findings = await test();

    assert.ok(findings.some(({ check, status }) => check === "origin" && status === "warning"));
    assert.ok(further.requests.length > 0);
    for (const { rawHeaders } of further.requests) assert.doesNotMatch(String(rawHeaders), /api-key|authorization/i);
    await settings().update("networks", networks, vscode.ConfigurationTarget.Global);
  });

  it("H7: sends keys to another URL after the user agrees", async () => {
    await using third = await startServer(json({ Error: "hello" }));
    const shown = await answering("Change and Send Keys", () =>
      run("editNetwork", { network: NETWORK, baseUrl: third.url }),
    );
    await test();

    assert.ok(shown[0]?.detail.includes(`${own.url} → ${third.url}`), shown[0]?.detail);
    assert.equal(last(third)["chain-pro-api-key"], API_KEY);
    await answering("Change", () => run("editNetwork", { network: NETWORK, baseUrl: own.url }));
  });

  it("H7: does not add a network that would inherit the keys of another one", async () => {
    await assert.rejects(
      async () => run("addNetwork", { name: NETWORK, baseUrl: other.url, apiKey: "mine" }),
      /already/,
    );
    await assertNothingHappened(JSON.stringify(setting()));
  });

  it("H7, H2: rebroadcasts only after the user agrees, and explains a missing proof", async () => {
    await using chain = await startGuardedChain();
    let broadcasts = 0;
    const proxy = await openProxy(async (asked) => {
      // It tells of solidified blocks that its full node does not have.
      if (asked.path === "/wallet/getblockbylimitnext") return answerOf('{"block":[]}');
      if (!isBroadcast(asked.path)) return await askChain(chain.baseUrl, asked);
      broadcasts++;
      return undefined;
    });
    const network = `Street ${canary}`;
    const fund = { method: "POST", body: JSON.stringify({ address: account.address, amount: "9000000", mine: true }) };
    assert.ok((await fetch(`${chain.baseUrl}/local/fund`, fund)).ok);
    await run("addNetwork", { name: network, baseUrl: proxy.url });
    const payment = {
      from: account.address,
      to: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC",
      amount: "1.5",
      network,
      expirySeconds: 30,
    };
    let txId = "";
    await answering("Sign and Send", async () => {
      ({ txId } = await run<{ txId: string }>("sendCoins", payment));
    });
    assert.equal((await finality()).transactions.get(txId)?.state.kind, "unknown");
    const before = broadcasts;

    for (const argument of [{ txId }, { txId, confirmed: true }]) {
      const shown = await answering(undefined, async () => void (await run("sendSameBytesAgain", argument)));

      assert.equal(shown.length, 1);
    }

    assert.equal(broadcasts, before);
    const later = { method: "POST", body: JSON.stringify({ ms: 31_000 }) };
    assert.ok((await fetch(`${chain.baseUrl}/local/warp`, later)).ok);
    assert.match(await reportThatSays(txId, "No proof yet"), /full node does not have the solidified block/);
    await assert.rejects(async () => run("createReplacement", { txId }), /Nothing was replaced/);
    await answering("Remove", () => run("removeNetwork", { network }));
    await proxy.close();
  });

  it("H1: stops an equal payment through a second network of the same chain, even if the first one reports another genesis block", async () => {
    await using chain = await startGuardedChain();
    let poses = false;
    const proxy = await openProxy(async (asked) => {
      const answer = isBroadcast(asked.path) ? undefined : await askChain(chain.baseUrl, asked);
      if (answer === undefined || !asked.path.endsWith("/getblockbynum")) return answer;
      const text = answer.text.replace(/("blockID": ?"0{16})[0-9a-f]{8}/, "$1deadbeef");
      poses ||= text !== answer.text;
      return { ...answer, text };
    });
    const fund = { method: "POST", body: JSON.stringify({ address: account.address, amount: "9000000", mine: true }) };
    assert.ok((await fetch(`${chain.baseUrl}/local/fund`, fund)).ok);
    const networks = [`Poser ${canary}`, `Honest ${canary}`] as const;
    const [poser, honest] = networks;
    await run("addNetwork", { name: poser, baseUrl: proxy.url });
    await run("addNetwork", { name: honest, baseUrl: chain.baseUrl });
    const payment = { from: account.address, to: "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC", amount: "2.5" };
    const send = (network: string) => run<{ txId: string }>("sendCoins", { ...payment, network });
    let txId = "";
    await answering("Sign and Send", async () => {
      ({ txId } = await send(poser));
    });

    const shown = await answering("Sign and Send", async () => {
      await assert.rejects(async () => send(honest), {
        code: "EQUAL_TRANSACTION_ALIVE",
        details: { txId, state: "unknown" },
      });
    });

    assert.deepEqual([shown, poses], [[], true], "nobody was asked to sign");
    for (const network of networks) await answering("Remove", () => run("removeNetwork", { network }));
    await proxy.close();
  });

  it("A1, A2: adds nothing and changes no real-money field when the user declines", async () => {
    const [before, address] = [JSON.stringify(setting()), "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC"];
    const shown = await answering(undefined, async () => {
      for (const [command, argument] of [
        ["addWatchOnlyAddress", { address, label: `Watched ${canary}` }],
        ["connectBrowserWallet", { address, label: `Watched ${canary}` }],
        ["addNetwork", { name: `Free ${canary}`, baseUrl: own.url }],
        ["switchNetwork", { network: NETWORK }],
        ["editNetwork", { network: NETWORK, explorerUrl: "https://scan.example.org" }],
      ] as const)
        assert.equal(await run(command, argument), undefined, command);
    });

    assert.deepEqual(
      shown.map(({ buttons }) => buttons[0]),
      shown.map(() => "Do Nothing"),
    );
    assert.ok(shown[0]?.title.includes(address), shown[0]?.title);
    assert.equal(JSON.stringify(setting()), before);
    await assert.rejects(async () => run("copyAddress", { address }), { code: "ACCOUNT_UNKNOWN" });
  });
});
