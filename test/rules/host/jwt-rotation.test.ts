import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { generateJwtKey, type JwtKey } from "../../../packages/client/src/gateway/access/jwt.ts";
import type { HttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import { parseNetworkProfile } from "../../../packages/client/src/gateway/network-settings.ts";
import { type LocalChain, startLocalChain } from "../../../packages/local-chain/src/main.ts";
import { systemClock as clock } from "../../../packages/node/src/system-clock.ts";
import { lazy } from "../../../src/host/async.ts";
import { Masking } from "../../../src/host/log/masking.ts";
import { SecretStore } from "../../../src/host/secrets/secret-store.ts";
import { editor, FakeStorage, loadWithEditor, memento } from "../../support/fakes/fake-editor.ts";

type Credentials = typeof import("../../../src/host/secrets/network-credentials.ts");
type GatewaysPart = typeof import("../../../src/host/networks/gateways.ts");
type RotationPart = typeof import("../../../src/features/jwt-keys/jwt-keys.ts");
type CommandPart = typeof import("../../../src/features/jwt-keys/rotate-jwt-key.ts");

const AUDIENCE = "bank.test";
const RATE_PER_SECOND = 200;
const TICK_MS = 20;
const MOST_UNDER_WAY = 60;
const ROTATIONS = 5;
/** Number of answers before each rotation, so that every key is used. */
const REQUESTS_BETWEEN = 40;
/** Time until other windows use the new key; ms. */
const SETTLE_MS = 250;

interface SeenKid {
  readonly last: number;
  readonly requests: number;
  readonly accepted: number;
}

/** Results of the requests of some windows. */
interface Load {
  sent: number;
  answered: number;
  readonly failures: unknown[];
  /** Resolves when it has ended. */
  readonly end: () => Promise<void>;
}
const NEVER = new AbortController().signal;

describe("JWT key rotation during requests", function () {
  this.timeout(180_000);
  let parts: Credentials & GatewaysPart & RotationPart & CommandPart;
  let chain: LocalChain;
  let storage: FakeStorage;
  let network: NetworkProfile;
  let pairs: readonly JwtKey[];
  let registered: number;
  const opened: { dispose(): void }[] = [];

  before(async () => {
    const [credentials, gateways, rotation, command] = await Promise.all([
      loadWithEditor<Credentials>("src/host/secrets/network-credentials.ts"),
      loadWithEditor<GatewaysPart>("src/host/networks/gateways.ts"),
      loadWithEditor<RotationPart>("src/features/jwt-keys/jwt-keys.ts"),
      loadWithEditor<CommandPart>("src/features/jwt-keys/rotate-jwt-key.ts"),
    ]);
    parts = { ...credentials, ...gateways, ...rotation, ...command };
    // Generating RSA keys is slow, so the tests share them.
    pairs = await Promise.all(Array.from({ length: ROTATIONS + 1 }, () => generateJwtKey()));
  });

  beforeEach(async () => {
    storage = new FakeStorage();
    registered = 0;
    editor.reset();
    chain = await startLocalChain({ blockTimeMs: 0, accounts: 2 });
    network = parseNetworkProfile({ name: "Bank", baseUrl: chain.baseUrl, jwt: true, audience: AUDIENCE }, "");
    await control("POST", "access", { jwt: { audience: AUDIENCE } });
  });

  afterEach(async () => {
    for (const it of opened.splice(0)) it.dispose();
    await chain.close();
  });

  async function control<T>(method: string, path: string, body?: object): Promise<T> {
    const request = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    return (await (await fetch(`${chain.baseUrl}/local/${path}`, request)).json()) as T;
  }

  /** Opens a window. All windows share the secret storage. */
  function openWindow(settleMs = SETTLE_MS) {
    const store = new SecretStore({
      secrets: storage,
      masking: new Masking(),
      onUnavailable: async () => "keep-for-this-window",
    });
    const credentials = new parts.NetworkCredentials({
      store,
      state: memento(),
      now: clock.now,
    });
    const log = { debug: () => undefined };
    const gateways = new parts.Gateways({
      credentials,
      plainHttp: { checked: (it: NetworkProfile) => it } as never,
      clientCertificates: lazy(async () => ({
        read: async () => ({ usable: [], problems: new Map() }),
        onDidChange: () => ({ dispose: () => undefined }),
      })) as never,
      mask: () => undefined,
      clock,
      log,
      sawHead: () => undefined,
    });
    opened.push(gateways, credentials);
    return { credentials, gateways, clock, settleMs };
  }

  type Window = ReturnType<typeof openWindow>;

  function newPair(): JwtKey {
    const pair = pairs[registered++];
    assert.ok(pair);
    return pair;
  }

  /** Adds a key to the network and to the gateway. */
  async function register(window: Window, name: string, replaces?: string) {
    const { privateKeyPem, publicKeyPem } = newPair();
    const { id: keyId } = await control<{ id: string }>("POST", "keys", { name, publicKey: publicKeyPem });
    const known = { name, keyId, ...(replaces === undefined ? {} : { replaces }) };
    const key = { value: privateKeyPem, origins: [new URL(chain.baseUrl).origin] };
    const record = await window.credentials.jwtKeysOf(network)?.add(key, known);
    assert.ok(record);
    return record;
  }

  /** Sends requests at an even rate, through a new gateway for each or through the held one. */
  function begin(windows: readonly Window[], held: HttpGateway): Load {
    const load = { sent: 0, answered: 0, failures: [] as unknown[] };
    const underWay = new Set<Promise<void>>();
    const started = clock.now();
    let isSending = true;
    const send = async (turn: number): Promise<void> => {
      const window = windows[turn % windows.length];
      const gateway = turn % 3 === 0 || window === undefined ? held : await window.gateways.for(network);
      await gateway.headBlock();
      load.answered++;
    };
    const sendAll = async (): Promise<void> => {
      while (isSending) {
        const due = Math.floor(((clock.now() - started) * RATE_PER_SECOND) / 1_000);
        // Limits the open requests on a slow machine.
        for (let more = Math.min(due - load.sent, 20, MOST_UNDER_WAY - underWay.size); more > 0; more--) {
          const request = send(load.sent++)
            .catch((error: unknown) => void load.failures.push(error))
            .finally(() => underWay.delete(request));
          underWay.add(request);
        }
        await setTimeout(TICK_MS);
      }
    };
    const sending = sendAll();
    return Object.assign(load, {
      end: async () => {
        isSending = false;
        await sending;
        await Promise.all(underWay);
      },
    });
  }

  it("fails no request, and sends no token of a removed key, at 200 requests a second in two windows", async () => {
    const [first, second] = [openWindow(), openWindow()];
    let current = await register(first, "key 0");
    const load = begin([first, second], await first.gateways.for(network));
    const started = clock.now();
    const removed: { readonly keyId: string; readonly at: number }[] = [];

    for (let round = 1; round <= ROTATIONS; round++) {
      const answered = load.answered + REQUESTS_BETWEEN;
      while (load.answered < answered && load.failures.length === 0) await setTimeout(TICK_MS);
      const next = await register(first, `key ${round}`, current.id);
      await parts.tryKey(first, network, next, NEVER);
      await parts.switchKey(first, network, { old: current, next });
      assert.ok(await parts.removeOldKey(first, network, { old: current, next }, NEVER));
      const keyId = current.keyId ?? "";
      removed.push({ keyId, at: Date.now() });
      await control("DELETE", "keys", { id: keyId });
      current = next;
    }
    await setTimeout(500);
    await load.end();

    const seconds = (clock.now() - started) / 1_000;
    const { seen } = await control<{ seen: { [kid: string]: SeenKid } }>("GET", "keys");
    process.stdout.write(
      `      ${load.sent} requests in ${seconds.toFixed(1)} s: ${Math.round(load.sent / seconds)} a second, ${load.failures.length} failed, ${Object.keys(seen).length} kids\n`,
    );
    assert.deepEqual(load.failures, []);
    assert.ok(load.answered === load.sent && load.sent >= ROTATIONS * 20, `${load.answered} of ${load.sent}`);
    assert.equal(Object.keys(seen).length, ROTATIONS + 1);
    for (const { keyId, at } of removed) {
      const kid = seen[keyId];
      assert.ok(kid !== undefined && kid.last <= at, `a token of ${keyId} arrived ${(kid?.last ?? 0) - at} ms later`);
    }
    // Every token was accepted, also those of removed keys.
    for (const [kid, { requests, accepted }] of Object.entries(seen)) assert.equal(requests, accepted, kid);
    assert.deepEqual(
      (await first.credentials.jwtKeys(network)).map(({ name, inUse, replaces }) => [name, inUse, replaces]),
      [[`key ${ROTATIONS}`, true, undefined]],
    );
  });

  it("removes the old key only after the last request with its token has ended", async () => {
    const window = openWindow();
    const old = await register(window, "old");
    await control("POST", "faults", [{ name: "latency", ms: 1_500, count: 1 }]);
    const slow = (await window.gateways.for(network)).headBlock();
    await setTimeout(200);
    const next = await register(window, "next", old.id);

    await parts.switchKey(window, network, { old, next });
    let isGone = false;
    const removing = parts.removeOldKey(window, network, { old, next }, NEVER).then(() => {
      isGone = true;
    });
    await setTimeout(SETTLE_MS + 200);

    assert.equal(isGone, false);
    await slow;
    await removing;
    assert.deepEqual(await window.credentials.jwtKeysOf(network)?.privateKey(old.id), undefined);
  });

  it("keeps the old key and reports an error when the gateway refuses the new one", async () => {
    const window = openWindow();
    const old = await register(window, "old");
    const { privateKeyPem } = newPair();
    const key = { value: privateKeyPem, origins: [new URL(chain.baseUrl).origin] };
    const next = await window.credentials
      .jwtKeysOf(network)
      ?.add(key, { name: "new", keyId: "not there", replaces: old.id });
    assert.ok(next);

    await assert.rejects(parts.tryKey(window, network, next, NEVER), {
      code: "JWT_KEY_NOT_ACCEPTED",
      message: /does not accept the JWT key new with the ID "not there". The key was not switched.*Compare public key/,
    });

    await (await window.gateways.for(network)).headBlock();
    assert.equal((await window.credentials.jwtKeyInUse(network))?.id, old.id);
  });

  it("takes effect in another window, also for a gateway that it holds", async () => {
    const [first, second] = [openWindow(), openWindow()];
    const old = await register(first, "old");
    const held = await second.gateways.for(network);
    await held.headBlock();
    const next = await register(first, "next", old.id);

    await parts.switchKey(first, network, { old, next });
    await control("DELETE", "keys", { id: old.keyId });

    await held.headBlock();
    const { seen } = await control<{ seen: { [kid: string]: SeenKid } }>("GET", "keys");
    assert.equal(seen[next.keyId ?? ""]?.accepted, 1);
  });

  it("H7: sends the new key to no other origin through an older gateway", async () => {
    const window = openWindow();
    const old = await register(window, "old");
    const held = await window.gateways.for(network);
    const { privateKeyPem } = newPair();
    const key = { value: privateKeyPem, origins: ["https://elsewhere.test"] };
    const next = await window.credentials.jwtKeysOf(network)?.add(key, { name: "new", keyId: "k", replaces: old.id });
    assert.ok(next);

    await parts.switchKey(window, network, { old, next });

    await assert.rejects(held.headBlock(), { code: "CREDENTIALS_WITHHELD" });
    const { seen } = await control<{ seen: { [kid: string]: SeenKid } }>("GET", "keys");
    assert.deepEqual(Object.keys(seen), []);
  });

  /** Rotates with the command, as a user who registers each public key and confirms the switch. */
  async function rotate(window: Window): Promise<string> {
    const services = { ...window, networks: { get: () => network, save: async () => undefined } } as never;
    const first = await parts.rotateJwtKey(services, { network: "Bank" }, false);
    if (first?.state !== "waiting-for-id") return first?.state ?? "left";
    const body = { name: first.key, publicKey: first.publicKeyPem };
    const { id, error } = await control<{ id?: string; error?: string }>("POST", "keys", body);
    assert.ok(id, error);
    return (await parts.rotateJwtKey(services, { network: "Bank", keyId: id }, false))?.state ?? "left";
  }

  it("continues after an interruption at any write", async () => {
    editor.answer = "Switch and Delete the Old Key";
    const interruptions: number[] = [];
    for (let changes = 0; ; changes++) {
      storage = new FakeStorage();
      for (const { id } of (await control<{ records: { id: string }[] }>("GET", "keys")).records) {
        await control("DELETE", "keys", { id });
      }
      registered = 0;
      await register(openWindow(), "old");
      storage.changesLeft = changes;
      const state = await rotate(openWindow()).catch((error: { code?: string }) => error.code);
      if (state === "done" && !storage.broken) break;
      interruptions.push(changes);

      storage.broken = false;
      storage.changesLeft = Number.POSITIVE_INFINITY;
      const later = openWindow();
      await (await later.gateways.for(network)).headBlock();
      // A rotation whose start was lost starts again. The service keeps the public key of the first attempt.
      assert.equal(await rotate(later), "done", `after ${changes} changes`);

      const [record, ...others] = await later.credentials.jwtKeys(network);
      assert.deepEqual([record?.inUse, others], [true, []], `after ${changes} changes`);
      await (await openWindow().gateways.for(network)).headBlock();
    }
    assert.ok(interruptions.length >= 6, interruptions.join());
  });
});
