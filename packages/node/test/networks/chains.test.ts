import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { profileAt } from "../../../../test/support/fakes/gateway-fixtures.ts";
import type { View } from "../../../client/src/gateway/gateway.ts";
import { type ChainId, type NetworkProfile, parseChainId } from "../../../client/src/gateway/network.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { Chains } from "../../src/networks/chains.ts";

const [A, B] = [chainOf("a"), chainOf("b")];
const MAINNET = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
const SILENT = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "https://one", attempts: 1, reason: "reset" });
const [ONE, TWO, SOLID] = ["https://one.test", "https://two.test", "https://solid.test"];

describe("Chains", () => {
  let folder: string;
  /** Answer of each URL; an error is thrown. */
  const answers = new Map<string, ChainId | Error | undefined>();
  const requests: string[] = [];
  const clock = new FakeClock();

  const answer = async (url: string, view: View): Promise<ChainId | undefined> => {
    requests.push(`${url} ${view}`);
    const known = answers.get(url);
    if (known instanceof Error) throw known;
    return known;
  };
  const gateways = {
    for: async ({ baseUrl, solidityBaseUrl = baseUrl }: NetworkProfile) => ({
      chainId: (view: View) => answer(view === "solid" ? solidityBaseUrl : baseUrl, view),
    }),
    at: async (_network: NetworkProfile, url: string) => ({ chainId: (view: View) => answer(url, view) }),
  };
  const log = {
    info: () => undefined,
    error: (message: string, cause?: unknown) => assert.fail(`${message} ${cause}`),
  };
  let networks: NetworkProfile[] = [];
  let learned = 0;
  const chains = (): Chains =>
    new Chains({
      folder,
      gateways: gateways as never,
      now: clock.now,
      log,
      learned: () => learned++,
      networks: { list: () => networks, find: (name) => networks.find((it) => it.name === name) },
    });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-chains-"));
    answers.clear();
    requests.length = 0;
    networks = [];
    learned = 0;
  });

  afterEach(async () => rm(folder, { recursive: true }));

  it("A2: treats Mainnet and every chain of a marked network as real money", async () => {
    const mainnet = parseChainId(MAINNET);
    assert.ok(mainnet);
    answers.set(ONE, mainnet).set(TWO, A).set(SOLID, A);
    const window = chains();
    const [t, other] = [profileAt(ONE, { name: "t" }), profileAt(TWO, { name: "nile" })];
    const marked = profileAt(SOLID, { name: "Bank", production: true });
    const all = [t, other, marked];
    assert.deepEqual(
      all.map((it) => window.isRealMoney(it, all)),
      [false, false, false],
    );

    for (const it of all) await window.networkRefOf(it);

    assert.equal(window.isRealMoney(t, [t]), true);
    assert.deepEqual([window.isRealMoney(other, [t, other]), window.isRealMoney(other, all)], [false, true]);
    const beside = profileAt("https://else.test", { fallbackUrls: [ONE] });
    assert.equal(window.isRealMoney(beside, [beside]), true);
    const later = chains();
    await later.ready();
    assert.equal(later.isRealMoney(t, [t]), true);
  });

  it("H1: gives two networks of one chain the same identity with one request per URL", async () => {
    answers.set(ONE, A).set(TWO, A);
    const window = chains();

    assert.deepEqual(await window.networkRefOf(profileAt(ONE, { name: "Provider A" })), {
      network: "Provider A",
      chain: A,
    });
    assert.deepEqual(await window.networkRefOf(profileAt(TWO, { name: "Provider B" })), {
      network: "Provider B",
      chain: A,
    });
    assert.deepEqual(await window.networkRefOf(profileAt(ONE, { name: "Renamed" })), { network: "Renamed", chain: A });
    assert.deepEqual(requests, [`${ONE} head`, `${TWO} head`]);
  });

  it("H1: rejects a URL that served another chain in an earlier window", async () => {
    answers.set(ONE, A);
    await chains().networkRefOf(profileAt(ONE));
    answers.set(ONE, B);

    await assert.rejects(chains().networkRefOf(profileAt(ONE)), { code: "CHAIN_CHANGED" });
    await assert.rejects(chains().networkRefOf(profileAt(ONE, { name: "Another name" })), { code: "CHAIN_CHANGED" });
  });

  it("H1: rejects a solidity or fallback URL of another chain", async () => {
    answers.set(ONE, A).set(SOLID, B).set(TWO, B);

    await assert.rejects(chains().networkRefOf(profileAt(ONE, { solidityBaseUrl: SOLID })), { code: "CHAINS_DIFFER" });
    await assert.rejects(chains().networkRefOf(profileAt(ONE, { fallbackUrls: [TWO] })), { code: "CHAINS_DIFFER" });
    assert.deepEqual(new Set(requests), new Set([`${ONE} head`, `${SOLID} solid`, `${TWO} head`]));
  });

  it("H1: remembers the chain of a silent URL, and asks again after a minute", async () => {
    answers.set(ONE, A);
    await chains().networkRefOf(profileAt(ONE));
    answers.set(ONE, SILENT);
    const window = chains();

    assert.deepEqual(await window.networkRefOf(profileAt(ONE)), { network: "Test", chain: A });
    await window.networkRefOf(profileAt(ONE));
    assert.equal(requests.length, 2);

    answers.set(ONE, B);
    await clock.advance(60_000);
    await assert.rejects(window.networkRefOf(profileAt(ONE)), { code: "CHAIN_CHANGED" });
  });

  it("H1: accepts a network whose chain was never reported", async () => {
    answers.set(ONE, SILENT);
    assert.deepEqual(await chains().networkRefOf(profileAt(ONE)), { network: "Test" });
    answers.set(ONE, undefined);
    assert.deepEqual(await chains().networkRefOf(profileAt(ONE)), { network: "Test" });
  });

  it("asks the local chain each time, and stores nothing", async () => {
    const local = profileAt("http://127.0.0.1:1", { name: "Local chain", local: true });
    const window = chains();
    answers.set(local.baseUrl, A);
    assert.equal((await window.networkRefOf(local)).chain, A);
    answers.set(local.baseUrl, B);

    assert.equal((await window.networkRefOf(local)).chain, B);
    assert.equal((await chains().networkRefOf(local)).chain, B);
  });

  it("H1: tracks a transaction of a removed network through another one of the same chain", async () => {
    answers.set(ONE, A).set(TWO, B);
    networks = [profileAt(TWO, { name: "Other" }), profileAt(ONE, { name: "New name" })];
    const window = chains();
    const signed = { network: "Old name", chain: A };
    assert.equal(window.networkFor(signed), "Old name", "not known yet");

    await window.findOut();

    assert.equal(window.networkFor(signed), "New name");
    assert.equal(window.networkFor({ network: "Old name" }), "Old name", "a line without a chain");
    assert.ok(learned > 0);
  });

  it("H1: never tracks a transaction on another chain with the same network name", async () => {
    answers.set(ONE, B);
    networks = [profileAt(ONE, { name: "Main" })];
    const window = chains();
    await window.findOut();

    assert.equal(window.networkFor({ network: "Main", chain: B }), "Main");
    assert.match(window.networkFor({ network: "Main", chain: A }), /^Main before: chain aaaaaaaaaaaa$/);
    networks.push(profileAt(TWO, { name: "Back again" }));
    answers.set(TWO, A);
    await window.findOut();
    assert.equal(window.networkFor({ network: "Main", chain: A }), "Back again");
  });

  it("H1: accepts another chain only on the user's request", async () => {
    answers.set(ONE, A);
    const network = profileAt(ONE);
    await chains().networkRefOf(network);
    answers.set(ONE, B);
    const window = chains();
    await assert.rejects(window.askAgain(network), { code: "CHAIN_CHANGED" });

    await window.accept(network);

    assert.equal((await window.networkRefOf(network)).chain, B);
    assert.equal((await chains().networkRefOf(network)).chain, B);
  });

  it("recovers when the URL serves the old chain again", async () => {
    answers.set(ONE, A);
    await chains().networkRefOf(profileAt(ONE));
    answers.set(ONE, B);
    const window = chains();
    await assert.rejects(window.networkRefOf(profileAt(ONE)), { code: "CHAIN_CHANGED" });
    answers.set(ONE, A);

    assert.equal((await window.networkRefOf(profileAt(ONE))).chain, A);
  });

  it("H1: rejects the second of two windows that see two chains", async () => {
    answers.set(ONE, A);
    const first = chains().networkRefOf(profileAt(ONE));
    await first;
    const late = chains();
    answers.set(ONE, B);

    await assert.rejects(late.networkRefOf(profileAt(ONE)), { code: "CHAIN_CHANGED" });
    assert.equal((await chains().networkRefOf(profileAt(TWO))).chain, undefined);
  });
});

function chainOf(digit: string): ChainId {
  const chain = parseChainId(`${"0".repeat(16)}${digit.repeat(48)}`);
  assert.ok(chain);
  return chain;
}
