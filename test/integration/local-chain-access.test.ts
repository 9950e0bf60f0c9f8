import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { CheckResult } from "../../packages/client/src/gateway/access/connection-checks.ts";
import type { JwtKeyRecord } from "../../packages/client/src/gateway/access/jwt.ts";
import type { RotationResult } from "../../src/features/jwt-keys/rotate-jwt-key.ts";
import type { LocalChainResult } from "../../src/features/local-chain/local-chain.ts";
import { answering } from "./dialogs.ts";
import { endLocalChain, finality, startFastChain, until } from "./local-chain.ts";

const run = <T>(command: string, argument: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`finality.${command}`, argument);
const NETWORK = "Local chain";

interface Keys {
  readonly records: readonly { readonly id: string }[];
  readonly seen: { readonly [kid: string]: { readonly requests: number; readonly accepted: number } };
}

describe("local chain with access control", () => {
  before(() => finality());
  afterEach(endLocalChain);

  const ask = async <T>(baseUrl: string, path: string): Promise<T> => (await (await fetch(baseUrl + path)).json()) as T;
  const status = async (baseUrl: string): Promise<number | undefined> => {
    const answer = await fetch(`${baseUrl}/wallet/getnowblock`, { method: "POST", body: "{}" }).catch(() => undefined);
    return answer?.status;
  };
  const records = () => run<readonly JwtKeyRecord[]>("jwtKeys", { network: NETWORK });

  it("creates and registers the required credentials, so that every command works", async () => {
    const { baseUrl, accounts } = await run<LocalChainResult>("startLocalChain", { access: "jwt-and-api-key" });

    assert.equal(await status(baseUrl), undefined);
    const findings = await run<readonly CheckResult[]>("testConnection", { network: NETWORK });
    assert.ok(findings.every((it) => it.status === "ok"));
    const { balance } = await run<{ balance: string }>("showBalance", { account: "Alice", network: NETWORK });
    assert.equal(balance, "10000000000");
    const api = await finality();
    const to = accounts[1]?.address;
    const sent = await run<{ txId: string }>("sendCoins", { network: NETWORK, from: "Alice", to, amount: "1" });
    await until(api, sent.txId, ({ state }) => state.kind === "included" || state.kind === "solidified");
    const { records: known, seen } = await ask<Keys>(baseUrl, "/local/keys");
    assert.equal(known.length, 1);
    const [kid, ...others] = Object.values(seen);
    assert.deepEqual(others, []);
    // The tracker goes on: one of its requests may be looked at in this moment.
    assert.ok(kid !== undefined && kid.accepted > 3 && kid.requests - kid.accepted <= 1, JSON.stringify(kid));
  });

  it("changes the required credentials while it runs", async () => {
    await startFastChain();
    const { baseUrl } = await run<LocalChainResult>("startLocalChain", {});
    const test = async () => (await run<readonly CheckResult[]>("testConnection", { network: NETWORK }))[0]?.status;

    for (const [access, bare] of [
      ["api-key", 401],
      ["jwt", undefined],
      ["none", 200],
    ] as const) {
      assert.deepEqual(await run("localChainAccess", { access }), { network: NETWORK, access });
      assert.equal(await status(baseUrl), bare, access);
      assert.equal(await test(), "ok", access);
    }
    await assert.rejects(
      async () => run("localChainAccess", { access: "password" }),
      /none, jwt, api-key, jwt-and-api-key/,
    );
    await assert.rejects(async () => run("createJwtKey", { network: NETWORK }), /does not require tokens/);
    assert.deepEqual((await ask<Keys>(baseUrl, "/local/keys")).records, []);
  });

  it("rotates, selects and inspects keys without a prompt", async () => {
    const { baseUrl } = await run<LocalChainResult>("startLocalChain", { access: "jwt" });
    const [first] = await records();

    const shown = await answering(undefined, async () => {
      const rotated = await run<RotationResult>("rotateJwtKey", { network: NETWORK, name: "Second" });
      assert.deepEqual([rotated.state, rotated.key, rotated.replaces], ["done", "Second", first?.name]);
    });

    assert.deepEqual(shown, []);
    const [second, ...others] = await records();
    assert.deepEqual([second?.name, second?.inUse, others], ["Second", true, []]);
    const { records: known } = await ask<Keys>(baseUrl, "/local/keys");
    assert.deepEqual(
      known.map(({ id }) => id),
      [second?.keyId],
    );
    const token = await run<{ header: object; payload: object; head: number }>("inspectToken", { network: NETWORK });
    assert.deepEqual(token.header, { alg: "RS256", typ: "JWT", kid: second?.keyId });
    assert.ok(token.head > 0);
    await run("removeJwtKey", { network: NETWORK, key: "Second", confirmed: true });
    await assert.rejects(async () => run("showBalance", { account: "Alice", network: NETWORK }), /Run JWT Keys…/);
  });

  it("H8: requires no credentials after a restart", async () => {
    await run<LocalChainResult>("startLocalChain", { access: "jwt-and-api-key" });
    await run("stopLocalChain", { confirmed: true });

    const { baseUrl } = await run<LocalChainResult>("startLocalChain", {});

    assert.equal(await status(baseUrl), 200);
    assert.deepEqual(await records().then(undefined, () => []), []);
  });
});
