import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { CheckResult } from "../../packages/client/src/gateway/access/connection-checks.ts";
import type { NetworkProfile } from "../../packages/client/src/gateway/network.ts";
import type { JwtKeyResult } from "../../src/features/jwt-keys/jwt-keys.ts";
import { selfSigned } from "../support/http/self-signed.ts";
import { answering, type ShownDialog } from "./dialogs.ts";
import { startGuardedChain } from "./guarded-chain.ts";
import { finality } from "./local-chain.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const setting = () => vscode.workspace.getConfiguration("finality").get<NetworkProfile[]>("networks") ?? [];
const active = () => vscode.workspace.getConfiguration("finality").get<string>("activeNetwork");
const refused = (code: string) => (error: unknown) => error instanceof Error && "code" in error && error.code === code;

describe("network commands with arguments", () => {
  before(() => finality());

  afterEach(async () => {
    for (const { name } of setting()) await answering("Remove", () => run("removeNetwork", { network: name }));
  });

  it("add a network with name and URL to the user settings, and activate it", async () => {
    const added = await run<NetworkProfile>("addNetwork", { name: "Test", baseUrl: "https://api.example.test/" });

    assert.equal(added.baseUrl, "https://api.example.test");
    assert.deepEqual(setting(), [{ name: "Test", baseUrl: "https://api.example.test" }]);
    assert.equal(active(), "Test");
  });

  it("add presets", async () => {
    const nile = await run<NetworkProfile>("addNetwork", { preset: "trongrid-nile" });

    assert.deepEqual(
      [nile.name, nile.baseUrl, nile.apiKeyHeader, nile.production],
      ["TronGrid Nile", "https://nile.trongrid.io", "TRON-PRO-API-KEY", false],
    );
  });

  it("edit single fields, switch and remove networks", async () => {
    await run("addNetwork", { name: "First", baseUrl: "https://first.example.test" });
    await run("addNetwork", { name: "Second", baseUrl: "https://second.example.test" });

    await run("editNetwork", { network: "First", production: true, fallbackUrls: ["https://b.example.test"] });
    await run("switchNetwork", { network: "First" });

    assert.equal(active(), "First");
    assert.deepEqual(setting()[0], {
      name: "First",
      baseUrl: "https://first.example.test",
      production: true,
      fallbackUrls: ["https://b.example.test"],
    });
    await run("removeNetwork", { network: "First", confirmed: true });
    assert.deepEqual(
      setting().map(({ name }) => name),
      ["Second"],
    );
    assert.equal(active(), "");
  });

  it("refuse invalid networks with a reason, and store nothing", async () => {
    const add = (argument: object) => async () => run("addNetwork", argument);

    await assert.rejects(add({ name: "Clear", baseUrl: "http://api.example.test" }), /not encrypted/);
    await assert.rejects(add({ name: "Local chain", baseUrl: "https://a.test" }), refused("SETTING_MALFORMED"));
    await assert.rejects(async () => run("switchNetwork", { network: "Nowhere" }), refused("NETWORK_UNKNOWN"));
    assert.deepEqual(setting(), []);
  });

  it("refuse a duplicate name", async () => {
    await run("addNetwork", { name: "Test", baseUrl: "https://a.example.test" });

    await assert.rejects(
      async () => run("addNetwork", { name: "Test", baseUrl: "https://b.example.test" }),
      refused("NETWORK_NAME_TAKEN"),
    );
  });

  it("keep valid networks when another one in the settings is invalid", async () => {
    const networks = [
      { name: "Broken", baseUrl: "ftp://x" },
      { name: "Good", baseUrl: "https://good.example.test" },
    ];
    const settings = vscode.workspace.getConfiguration("finality");
    await settings.update("networks", networks, vscode.ConfigurationTarget.Global);

    await run("switchNetwork", { network: "Good" });

    await assert.rejects(async () => run("switchNetwork", { network: "Broken" }), refused("NETWORK_UNKNOWN"));
    await settings.update("networks", undefined, vscode.ConfigurationTarget.Global);
  });
});

describe("http in a private network", () => {
  const HOME = "http://192.168.1.20:8090";
  const testNetwork = ({ buttons }: ShownDialog) => buttons.find((it) => it === "Add as Test Network");
  const allow = (work: () => PromiseLike<unknown>) => answering("Use http", work);
  const add = (fields: object = {}) =>
    run<NetworkProfile | undefined>("addNetwork", { name: "Home", baseUrl: HOME, ...fields });

  before(() => finality());

  afterEach(async () => {
    for (const { name } of setting()) await answering("Remove", () => run("removeNetwork", { network: name }));
  });

  it("H7: requires confirmation of the risk for every caller, and stores nothing without it", async () => {
    const [added, question] = await answering(testNetwork, () => add());

    assert.deepEqual(added?.buttons, ["Do Nothing", "Add as Real-Money Network", "Add as Test Network"]);
    assert.match(question?.title ?? "", /192\.168\.1\.20:8090 for Home/);
    assert.match(question?.detail ?? "", /not encrypted.*can change the answers/s);
    assert.equal(question?.buttons[0], "Do Not Use", "Enter allows nothing");
    assert.deepEqual(setting(), []);

    await allow(() => add());
    assert.deepEqual(setting(), [{ name: "Home", baseUrl: HOME }]);
    const more = await allow(() => run("editNetwork", { network: "Home", production: true }));
    assert.deepEqual(more, [], "http is not asked about again");
  });

  it("H7: cannot be allowed by a setting", async () => {
    await vscode.workspace
      .getConfiguration("finality")
      .update("networks", [{ name: "Planted", baseUrl: HOME }], vscode.ConfigurationTarget.Global);

    const argument = { network: "Planted", account: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp" };
    await assert.rejects(async () => run("showBalance", argument), refused("PLAIN_HTTP_UNCONFIRMED"));
    const [first, ...others] = await run<CheckResult[]>("testConnection", { network: "Planted" });
    assert.deepEqual([first?.check, first?.status], ["address", "failed"]);
    assert.match(first?.sentence ?? "", /No request was sent: .* not allowed on this computer/);
    assert.ok(others.every(({ status }) => status === "skipped"));
  });

  it("requires confirmation again for another http URL of the network", async () => {
    await allow(() => add());

    const [, question] = await answering(
      ({ buttons }) => buttons.find((it) => it === "Change"),
      () => run("editNetwork", { network: "Home", baseUrl: "http://192.168.1.66:8090" }),
    );

    assert.match(question?.title ?? "", /192\.168\.1\.66/);
    assert.equal(setting()[0]?.baseUrl, HOME);
  });

  it("never sends a key, and is refused for public hosts", async () => {
    await assert.rejects(async () => add({ apiKey: "secret-of-a-test" }), refused("CREDENTIALS_IN_CLEAR"));
    await assert.rejects(async () => add({ jwt: true }), /sent unencrypted/);
    await assert.rejects(async () => add({ baseUrl: "http://8.8.8.8" }), /not encrypted: use https/);
    await allow(() => add());
    await assert.rejects(
      async () => run("setApiKey", { network: "Home", apiKey: "secret-of-a-test" }),
      refused("CREDENTIALS_IN_CLEAR"),
    );
  });
});

describe("client certificate", () => {
  const folder = mkdtempSync(join(tmpdir(), "finality-certificate-"));
  const { key, cert } = selfSigned("me.test");
  const file = join(folder, "me.pem");
  const set = (fields: object) => run("setClientCertificate", { network: "Guarded", ...fields });

  before(async () => {
    await finality();
    writeFileSync(file, cert + key);
    await run("addNetwork", { name: "Guarded", baseUrl: "https://127.0.0.1:1" });
  });

  after(async () => {
    for (const { name } of setting()) await answering("Remove", () => run("removeNetwork", { network: name }));
    rmSync(folder, { recursive: true });
  });

  it("H7: is sent to a host only after the user confirmed certificate and host", async () => {
    const [question] = await answering(undefined, () => set({ file }));

    assert.match(question?.title ?? "", /to https:\/\/127\.0\.0\.1:1\?/);
    assert.ok(question?.detail.includes(file));
  });

  it("disables only its network when its files are missing, and reports it", async () => {
    await answering("Send Certificate", () => set({ file }));
    rmSync(file);
    await run("addNetwork", { name: "Nobody", baseUrl: "http://127.0.0.1:1" });

    const [reading] = await Promise.allSettled([run("testConnection", { network: "Nobody" })]);
    assert.equal(reading.status, "fulfilled");

    await answering("Remove", () => set({ file: "" }));
    assert.ok((await run<CheckResult[]>("testConnection", { network: "Guarded" })).length > 0);
  });

  it("is refused with a reason, and never sent unencrypted", async () => {
    await assert.rejects(async () => set({ file: join(folder, "none.pem") }), /there is no file/);
    await run("addNetwork", { name: "Clear", baseUrl: "http://127.0.0.1:2" });
    await assert.rejects(
      async () => run("setClientCertificate", { network: "Clear", file }),
      refused("CREDENTIALS_IN_CLEAR"),
    );
  });
});

describe("Test Connection", () => {
  const test = (network?: string) => run<CheckResult[]>("testConnection", network === undefined ? {} : { network });
  const failed = (findings: readonly CheckResult[]) => findings.filter(({ status }) => status === "failed");

  before(() => finality());

  afterEach(async () => {
    for (const { name } of setting()) await answering("Remove", () => run("removeNetwork", { network: name }));
  });

  it("names the most likely cause when the gateway drops a token, and passes a valid one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "finality-jwt-"));
    await run("addNetwork", { name: "Gateway", baseUrl: "http://127.0.0.1:1", audience: "chain.test" });
    const { publicKeyPem } = await run<JwtKeyResult>("createJwtKey", { network: "Gateway", keyId: "key-1" });
    writeFileSync(join(folder, "public.pem"), publicKeyPem);
    const flags = ["--jwt-public-key", join(folder, "public.pem"), "--jwt-kid", "key-1", "--audience", "chain.test"];
    await using chain = await startGuardedChain(...flags);
    const edit = (fields: object) =>
      answering("Change and Send Keys", () => run("editNetwork", { network: "Gateway", ...fields }));

    await edit({ baseUrl: chain.baseUrl });
    assert.deepEqual(failed(await test("Gateway")), []);

    await edit({ keyId: "key-2" });
    assert.match((await test())[0]?.sentence ?? "", /key ID \(kid\) "key-2"/);

    await edit({ keyId: "" });
    assert.match((await test())[0]?.sentence ?? "", /key ID \(kid\) is not set/);

    await edit({ keyId: "key-1", audience: "https://chain.test" });
    assert.equal((await test())[0]?.check, "audience");

    await edit({ audience: "chain.test", jwt: false });
    assert.equal((await test())[0]?.check, "token");
    rmSync(folder, { recursive: true });
  });

  it("distinguishes a missing API key from a wrong one", async () => {
    await using chain = await startGuardedChain("--api-key", "the-right-key");
    await run("addNetwork", { name: "Keyed", baseUrl: chain.baseUrl });

    assert.match((await test("Keyed"))[0]?.sentence ?? "", /API key .* is missing/);
    await run("setApiKey", { network: "Keyed", apiKey: "a-wrong-key" });
    assert.match((await test("Keyed"))[0]?.sentence ?? "", /API key .* is wrong/);
    await answering("Replace", () => run("setApiKey", { network: "Keyed", apiKey: "the-right-key" }));
    assert.deepEqual(failed(await test("Keyed")), []);
  });

  it("reports that no URL answers, with the next step", async () => {
    await run("addNetwork", { name: "Nobody", baseUrl: "http://127.0.0.1:1" });

    const [first] = failed(await test("Nobody"));

    assert.equal(first?.check, "connection");
    assert.match(first?.nextStep ?? "", /URL/);
  });

  it("prompts for a network when none exists", async () => {
    await assert.rejects(async () => test(), refused("NETWORK_NOT_CHOSEN"));
  });
});
