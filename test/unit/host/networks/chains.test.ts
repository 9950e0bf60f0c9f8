import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { View } from "../../../../packages/client/src/gateway/gateway.ts";
import { type ChainId, type NetworkProfile, parseChainId } from "../../../../packages/client/src/gateway/network.ts";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { Chains } from "../../../../src/host/networks/chains.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

const [A, B] = [chainOf("a"), chainOf("b")];
const MAINNET = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
const SILENT = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "https://one", attempts: 1, reason: "reset" });
const [ONE, TWO, SOLID] = ["https://one.test", "https://two.test", "https://solid.test"];

describe("Chains", () => {
  let folder: string;
  /** Answer of each URL; an error is thrown. */
  const says = new Map<string, ChainId | Error | undefined>();
  const asked: string[] = [];
  const clock = new FakeClock();

  const answer = async (url: string, view: View): Promise<ChainId | undefined> => {
    asked.push(`${url} ${view}`);
    const said = says.get(url);
    if (said instanceof Error) throw said;
    return said;
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
    says.clear();
    asked.length = 0;
    networks = [];
    learned = 0;
  });

  afterEach(async () => rm(folder, { recursive: true }));

  it("A2: real money follows the chain: that of Mainnet, and that of any network that is marked so", async () => {
    const mainnet = parseChainId(MAINNET);
    assert.ok(mainnet);
    says.set(ONE, mainnet).set(TWO, A).set(SOLID, A);
    const window = chains();
    const [t, other] = [profileAt(ONE, { name: "t" }), profileAt(TWO, { name: "nile" })];
    const marked = profileAt(SOLID, { name: "Bank", production: true });
    const all = [t, other, marked];
    assert.deepEqual(
      all.map((it) => window.isRealMoney(it, all)),
      [false, false, false],
    );

    for (const it of all) await window.placeOn(it);

    assert.equal(window.isRealMoney(t, [t]), true);
    assert.deepEqual([window.isRealMoney(other, [t, other]), window.isRealMoney(other, all)], [false, true]);
    const beside = profileAt("https://else.test", { fallbackUrls: [ONE] });
    assert.equal(window.isRealMoney(beside, [beside]), true);
    const later = chains();
    await later.ready();
    assert.equal(later.isRealMoney(t, [t]), true);
  });

  it("H1: two networks of one chain have one identity, asked once for each URL", async () => {
    says.set(ONE, A).set(TWO, A);
    const window = chains();

    assert.deepEqual(await window.placeOn(profileAt(ONE, { name: "Provider A" })), { network: "Provider A", chain: A });
    assert.deepEqual(await window.placeOn(profileAt(TWO, { name: "Provider B" })), { network: "Provider B", chain: A });
    assert.deepEqual(await window.placeOn(profileAt(ONE, { name: "Renamed" })), { network: "Renamed", chain: A });
    assert.deepEqual(asked, [`${ONE} head`, `${TWO} head`]);
  });

  it("H1: stops at a URL that is another chain than it was for an earlier window", async () => {
    says.set(ONE, A);
    await chains().placeOn(profileAt(ONE));
    says.set(ONE, B);

    await assert.rejects(chains().placeOn(profileAt(ONE)), { code: "CHAIN_CHANGED" });
    await assert.rejects(chains().placeOn(profileAt(ONE, { name: "Another name" })), { code: "CHAIN_CHANGED" });
  });

  it("H1: stops at a solidity URL, and at a further URL, of another chain", async () => {
    says.set(ONE, A).set(SOLID, B).set(TWO, B);

    await assert.rejects(chains().placeOn(profileAt(ONE, { solidityBaseUrl: SOLID })), { code: "CHAINS_DIFFER" });
    await assert.rejects(chains().placeOn(profileAt(ONE, { fallbackUrls: [TWO] })), { code: "CHAINS_DIFFER" });
    assert.deepEqual(new Set(asked), new Set([`${ONE} head`, `${SOLID} solid`, `${TWO} head`]));
  });

  it("H1: remembers what a URL said while it is silent, and asks it again after a minute", async () => {
    says.set(ONE, A);
    await chains().placeOn(profileAt(ONE));
    says.set(ONE, SILENT);
    const window = chains();

    assert.deepEqual(await window.placeOn(profileAt(ONE)), { network: "Test", chain: A });
    await window.placeOn(profileAt(ONE));
    assert.equal(asked.length, 2);

    says.set(ONE, B);
    await clock.advance(60_000);
    await assert.rejects(window.placeOn(profileAt(ONE)), { code: "CHAIN_CHANGED" });
  });

  it("H1: refuses nothing if no gateway ever reported the chain", async () => {
    says.set(ONE, SILENT);
    assert.deepEqual(await chains().placeOn(profileAt(ONE)), { network: "Test" });
    says.set(ONE, undefined);
    assert.deepEqual(await chains().placeOn(profileAt(ONE)), { network: "Test" });
  });

  it("asks the embedded chain each time, and keeps nothing: each start is another chain", async () => {
    const local = profileAt("http://127.0.0.1:1", { name: "Local chain", local: true });
    const window = chains();
    says.set(local.baseUrl, A);
    assert.equal((await window.placeOn(local)).chain, A);
    says.set(local.baseUrl, B);

    assert.equal((await window.placeOn(local)).chain, B);
    assert.equal((await chains().placeOn(local)).chain, B);
  });

  it("H1: what was signed under a name that is gone goes on at another network of its chain", async () => {
    says.set(ONE, A).set(TWO, B);
    networks = [profileAt(TWO, { name: "Other" }), profileAt(ONE, { name: "New name" })];
    const window = chains();
    const signed = { network: "Old name", chain: A };
    assert.equal(window.networkFor(signed), "Old name", "nobody said yet");

    await window.findOut();

    assert.equal(window.networkFor(signed), "New name");
    assert.equal(window.networkFor({ network: "Old name" }), "Old name", "a line without a chain");
    assert.ok(learned > 0);
  });

  it("H1: what was signed for a chain is never looked for on another one that has its name now", async () => {
    says.set(ONE, B);
    networks = [profileAt(ONE, { name: "Main" })];
    const window = chains();
    await window.findOut();

    assert.equal(window.networkFor({ network: "Main", chain: B }), "Main");
    assert.match(window.networkFor({ network: "Main", chain: A }), /^Main before: chain aaaaaaaaaaaa$/);
    networks.push(profileAt(TWO, { name: "Back again" }));
    says.set(TWO, A);
    await window.findOut();
    assert.equal(window.networkFor({ network: "Main", chain: A }), "Back again");
  });

  it("H1: takes another chain for the one of a network when a person accepts it, and asks again before", async () => {
    says.set(ONE, A);
    const network = profileAt(ONE);
    await chains().placeOn(network);
    says.set(ONE, B);
    const window = chains();
    await assert.rejects(window.askAgain(network), { code: "CHAIN_CHANGED" });

    await window.accept(network);

    assert.equal((await window.placeOn(network)).chain, B);
    assert.equal((await chains().placeOn(network)).chain, B);
  });

  it("goes on by itself when a gateway is put right", async () => {
    says.set(ONE, A);
    await chains().placeOn(profileAt(ONE));
    says.set(ONE, B);
    const window = chains();
    await assert.rejects(window.placeOn(profileAt(ONE)), { code: "CHAIN_CHANGED" });
    says.set(ONE, A);

    assert.equal((await window.placeOn(profileAt(ONE))).chain, A);
  });

  it("H1: of two windows that query first and get two chains, one stops", async () => {
    says.set(ONE, A);
    const first = chains().placeOn(profileAt(ONE));
    await first;
    const late = chains();
    says.set(ONE, B);

    await assert.rejects(late.placeOn(profileAt(ONE)), { code: "CHAIN_CHANGED" });
    assert.equal((await chains().placeOn(profileAt(TWO))).chain, undefined);
  });
});

function chainOf(digit: string): ChainId {
  const chain = parseChainId(`${"0".repeat(16)}${digit.repeat(48)}`);
  assert.ok(chain);
  return chain;
}
