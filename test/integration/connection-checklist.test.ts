import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CheckResult } from "../../packages/client/src/gateway/access/connection-checks.ts";
import { closedUrl, hang, startServer } from "../support/http/http-server.ts";
import { answering } from "./dialogs.ts";
import { startGuardedChain } from "./guarded-chain.ts";
import { finality } from "./local-chain.ts";

const NETWORK = "Checked";
const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const test = () => run<readonly CheckResult[]>("testConnection", { network: NETWORK });
const add = (fields: object) => run("addNetwork", { name: NETWORK, ...fields });

describe("Test Connection checklist", () => {
  before(() => finality());

  afterEach(() => answering("Remove", () => run("removeNetwork", { network: NETWORK, confirmed: true })));

  it("checks connection, access, chain and every path of a working gateway", async () => {
    await using chain = await startGuardedChain();
    await add({ baseUrl: chain.baseUrl });

    const findings = await test();

    assert.deepEqual(
      findings.filter(({ status }) => status === "failed").map(({ sentence }) => sentence),
      [],
    );
    const fine = new Set(findings.filter(({ status }) => status === "ok").map(({ check }) => check));
    for (const check of [
      "address",
      "connection",
      "gateway",
      "same-chain",
      "fork",
      "head",
      "solidified",
      "chain",
    ] as const)
      assert.ok(fine.has(check), check);
    const paths = findings.filter(({ check, status }) => check === "path" && status === "ok");
    assert.equal(paths.length, 10);
    for (const { of, ms } of paths) assert.ok(of?.startsWith("/wallet") && ms !== undefined && ms >= 0);
  });

  it("reports another chain on the solidity endpoint first", async () => {
    await using chain = await startGuardedChain();
    await using other = await startGuardedChain();
    await add({ baseUrl: chain.baseUrl, solidityBaseUrl: other.baseUrl });

    const [first] = await test();

    assert.equal(first?.check, "same-chain");
    assert.match(first?.sentence ?? "", /different chains/);
  });

  it("reports a closed solidity port first", async () => {
    await using chain = await startGuardedChain();
    await add({ baseUrl: chain.baseUrl, solidityBaseUrl: await closedUrl() });

    const [first] = await test();

    assert.equal(first?.check, "solidity-url");
    assert.match(first?.sentence ?? "", /Nothing listens/);
  });

  it("ends within 12 s when the server never answers", async () => {
    await using silent = await startServer(hang);
    await add({ baseUrl: silent.url });
    const started = performance.now();

    const [first] = await test();

    assert.ok(performance.now() - started < 12_000);
    assert.equal(first?.check, "gateway");
    assert.match(first?.sentence ?? "", /did not answer in 5 s/);
  });
});
