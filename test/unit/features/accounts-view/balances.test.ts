import assert from "node:assert/strict";
import type { Delegation } from "../../../../packages/client/src/gateway/gateway.ts";
import type { TrackingState } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { type Address, parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import type { BlockId } from "../../../../packages/tron/src/primitives/block.ts";
import type { Hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import type { Intent } from "../../../../packages/tron/src/transaction/intent.ts";
import { Balances, DetailReader, MovedBalances } from "../../../../src/features/accounts-view/balances.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../support/fakes/fake-gateway.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";
import { accountWith } from "../../../support/tracking/system-facts.ts";
import { ALICE, adopted, BOB, signedPart, tracked } from "../../../support/tracking/tracked.ts";

const BLOCK_MS = 3_000;
const addressOf = (number: number): Address => parseAddress(`41${number.toString(16).padStart(40, "0")}`);

/** Returns the accounts of a view, with a switch for its visibility, and their requests. */
function balancesOf(count: number, network = profileAt("http://fake.test", { name: "Test" })) {
  const addresses = Array.from({ length: count }, (_, index) => addressOf(index + 1));
  const [clock, gateway] = [new FakeClock(), new FakeGateway()];
  for (const address of addresses) gateway.accounts.set(address, { address, balance: sun(1n) });
  const view = { visible: true, network, open: new Set<Address>() };
  const balances = new Balances({
    clock,
    network: () => view.network,
    addresses: () => addresses,
    gatewayFor: async () => gateway,
    isOpen: (address) => view.open.has(address),
    isWatched: () => view.visible,
    changed: () => undefined,
  });
  return { clock, gateway, balances, view, addresses, asked: () => gateway.requests.length };
}

describe("Balances", () => {
  it("P5: request each account at most once per block while transactions change", async () => {
    const { clock, balances, gateway, asked } = balancesOf(26, profileAt("http://fake.test", { local: true }));

    for (let passed = 0; passed < 47_000; passed += 50) {
      balances.moved("any");
      await clock.advance(50);
    }

    const blocks = Math.ceil(47_000 / BLOCK_MS);
    process.stdout.write(`      940 changes in 47 s, 26 accounts: ${asked()} requests\n`);
    assert.ok(asked() <= 26 * blocks, `${asked()} requests in ${blocks} blocks`);
    for (const [request, its] of Map.groupBy(gateway.requests, (it) => it)) assert.ok(its.length <= blocks, request);
    assert.ok(asked() >= 26 * (blocks - 1), "changed accounts are read");
  });

  it("P5: request ten accounts of a hosted network per block time, in turn", async () => {
    const { clock, balances, asked, addresses } = balancesOf(26);

    balances.moved("any");
    const seen: number[] = [];
    for (let block = 0; block < 3; block++) {
      await clock.advance(BLOCK_MS - 1);
      seen.push(asked());
      await clock.advance(1);
    }

    assert.deepEqual(seen, [10, 20, 26]);
    assert.ok(addresses.every((it) => balances.of(it).kind === "known"));
  });

  it("P5: request only accounts whose balance changed", async () => {
    const { clock, balances, gateway, addresses } = balancesOf(26);

    balances.moved([addresses[3] as Address, addressOf(99)]);
    await clock.advance(60_000);

    assert.deepEqual(gateway.requests, [`account ${addresses[3]}`]);
  });

  it("P5: continue after a change of foreign accounts or of a hidden view", async () => {
    const { clock, balances, gateway, view, addresses } = balancesOf(3);
    const [first, second] = addresses as [Address, Address];

    balances.moved([addressOf(99)]);
    balances.moved([first]);
    await clock.advance(BLOCK_MS);
    view.visible = false;
    balances.look();
    balances.moved([first]);
    view.visible = true;
    balances.moved([second]);
    await clock.advance(BLOCK_MS);

    assert.deepEqual(gateway.requests, [`account ${first}`, `account ${second}`]);
  });

  it("P5: send no request while hidden, even in the middle of a round", async () => {
    const { clock, balances, view, asked } = balancesOf(26);
    balances.look();
    await clock.advance(1_000);

    view.visible = false;
    balances.moved("any");
    balances.look();
    await clock.advance(60_000);

    assert.equal(asked(), 10);
  });

  it("P5: request once per block time when the view is shown repeatedly", async () => {
    const { clock, balances, asked } = balancesOf(5);

    for (let shown = 0; shown < 20; shown++) {
      balances.look();
      await clock.advance(100);
    }

    assert.equal(asked(), 5);
    await clock.advance(30_000);
    assert.equal(asked(), 10);
  });

  it("P5: request the details of an account while it is expanded", async () => {
    const { clock, balances, gateway, view, addresses } = balancesOf(3);
    const [first] = addresses as [Address];
    balances.look();
    await clock.advance(10);
    assert.equal(gateway.requests.length, 3);

    view.open.add(first);
    balances.opened(first);
    await clock.advance(10);
    assert.equal(gateway.requests.length, 3 + 4);
    assert.equal(balances.of(first).kind === "known" && "details" in balances.of(first), true);

    view.open.delete(first);
    await balances.refresh();
    assert.equal(gateway.requests.length, 3 + 4 + 3);
  });

  it("arrive before the details, which keep their values during a refresh", async () => {
    const { clock, balances, gateway, view, addresses } = balancesOf(1);
    const [address] = addresses as [Address];
    view.open.add(address);
    balances.look();
    await clock.advance(10);
    const { promise, resolve } = Promise.withResolvers<void>();
    const reward = gateway.reward.bind(gateway);
    gateway.reward = (of, signal) => promise.then(() => reward(of, signal));
    gateway.accounts.set(address, { address, balance: sun(2n) });

    const asked = balances.refresh();
    await clock.advance(10);
    const meanwhile = balances.of(address);
    assert.equal(meanwhile.kind === "known" && meanwhile.account.balance, 2n);
    assert.equal(meanwhile.kind === "known" && meanwhile.details?.reward, 0n);
    gateway.rewards.set(address, sun(7n));
    resolve();
    await asked;
    const after = balances.of(address);
    assert.equal(after.kind === "known" && after.details?.reward, 7n);
  });

  it("P5: poll once a minute on hosted networks, and every two blocks on local ones", async () => {
    for (const [local, looks] of [
      [false, 5],
      [true, 50],
    ] as const) {
      const { clock, balances, view, asked } = balancesOf(1, profileAt("http://fake.test", { local }));
      balances.look();
      await clock.advance(299_000);
      assert.equal(asked(), looks);
      view.visible = false;
      await clock.advance(600_000);
      assert.equal(asked(), looks, "requests while hidden");
      view.visible = true;
      balances.look();
      await clock.advance(10);
      assert.equal(asked(), looks + 1);
    }
  });

  it("refresh at once on request", async () => {
    const { balances, asked } = balancesOf(5);
    await balances.refresh();
    await balances.refresh();
    assert.equal(asked(), 10);
  });

  it("reload and drop old values when the network changes", async () => {
    const { clock, balances, view, gateway, addresses, asked } = balancesOf(2);
    balances.look();
    await clock.advance(10);

    view.network = profileAt("http://other.test", { name: "Other" });
    gateway.accounts.clear();
    balances.look();
    await clock.advance(10);

    assert.equal(asked(), 4);
    assert.deepEqual(balances.of(addresses[0] as Address), { kind: "not-activated" });
  });

  it("report an unreachable network, and stop until something changes", async () => {
    const { clock, balances, gateway, addresses, asked } = balancesOf(26);
    const refused = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://fake.test", attempts: 1, reason: "no" });
    gateway.fail("account", ...Array.from({ length: 10 }, () => refused));

    balances.look();
    await clock.advance(60_000);

    assert.equal(asked(), 10);
    assert.equal(balances.issue, refused.message);
    assert.ok(addresses.every((it) => balances.of(it).kind === "failed"));
  });
});

const block = (number: number) => ({ number, timestamp: 1_000, id: "0".repeat(64) as BlockId });
const included = (number: number): TrackingState => ({ kind: "included", block: block(number) });
const solidified = (number: number): TrackingState => ({
  kind: "solidified",
  block: block(number),
  outcome: { kind: "success" },
});
const call = signedPart({
  kind: "contract-call",
  owner: ALICE,
  contract: BOB,
  data: "00" as Hex,
  callValue: sun(0n),
  feeLimit: sun(1n),
});

describe("MovedBalances", () => {
  it("P5: returns both parties when a payment is included", () => {
    assert.deepEqual(new MovedBalances().after([tracked({ state: included(7) })]), [ALICE, BOB]);
  });

  it("P5: returns both parties of a delegation, token transfer or account creation", () => {
    const intents: readonly Intent[] = [
      { kind: "delegate", owner: ALICE, receiver: BOB, resource: "ENERGY", amount: sun(1n) },
      { kind: "token-transfer", owner: ALICE, to: BOB, tokenId: "1", amount: 1n },
      { kind: "account-creation", owner: ALICE, account: BOB },
    ];
    for (const intent of intents)
      assert.deepEqual(new MovedBalances().after([tracked({ state: included(7), signed: signedPart(intent) })]), [
        ALICE,
        BOB,
      ]);
  });

  it("P5: returns no account for an answer, a search or a solidified block", () => {
    const moved = new MovedBalances();
    moved.after([tracked({ state: included(7) })]);

    assert.deepEqual(moved.after([tracked({ state: solidified(7) })]), []);
    assert.deepEqual(new MovedBalances().after([tracked(), tracked({ state: { kind: "pending" } })]), []);
  });

  it("returns both parties again after a reorganization, and any for a contract call or an unknown sender", () => {
    const moved = new MovedBalances();
    moved.after([tracked({ state: included(7) })]);

    assert.deepEqual(moved.after([tracked({ state: { kind: "pending" } })]), [ALICE, BOB]);
    assert.deepEqual(moved.after([tracked({ state: solidified(9) })]), [ALICE, BOB]);
    assert.equal(new MovedBalances().after([tracked({ state: included(7), signed: call })]), "any");
    assert.equal(new MovedBalances().after([adopted({ state: included(7) })]), "any");
  });
});

const DETAILS_EACH = 10;
const NONE = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };
const delegator = accountWith({
  stakes: { own: NONE, delegated: { ...NONE, ENERGY: sun(1n) }, received: NONE, unstaking: [] },
});
const delegationTo = (to: Address): Delegation => ({
  from: ALICE,
  to,
  resource: "ENERGY",
  amount: sun(1n),
  lockedUntil: 0,
});
const { signal } = new AbortController();

describe("DetailReader", () => {
  it("sends three requests without delegations and tokens", async () => {
    const gateway = new FakeGateway();
    const details = await new DetailReader(gateway).read(accountWith(), signal);

    assert.deepEqual(gateway.requests.toSorted(), [`accountResources ${ALICE}`, "headBlock", `reward ${ALICE}`]);
    assert.equal(details.headTimestamp, gateway.head.timestamp);
  });

  it("sends one more request per delegation partner, up to a limit", async () => {
    const gateway = new FakeGateway();
    for (let at = 1; at <= DETAILS_EACH + 3; at++)
      gateway.lent.push(delegationTo(parseAddress(`41${String(at).padStart(40, "0")}`)));
    const details = await new DetailReader(gateway).read(delegator, signal);

    assert.equal(gateway.requests.length, 3 + 1 + DETAILS_EACH);
    assert.deepEqual([details.delegations.length, details.unreportedDelegations], [DETAILS_EACH, 3]);
  });

  it("reads each token once", async () => {
    const gateway = new FakeGateway();
    const token = { name: foreignText("Tea"), symbol: foreignText("TEA"), decimals: 0, issuer: BOB };
    gateway.tokens.set("1000001", { ...token, id: "1000001" });
    gateway.tokens.set("1000002", { ...token, id: "9" });
    const reader = new DetailReader(gateway);
    const holder = accountWith({
      trc10: new Map([
        ["1000001", 1n],
        ["1000002", 1n],
      ]),
    });
    const { tokens } = await reader.read(holder, signal);
    await reader.read(holder, signal);

    assert.deepEqual([...tokens.keys()], ["1000001"], "a description with another id");
    assert.equal(gateway.requests.filter((it) => it === "trc10Token 1000001").length, 1);
  });

  it("leaves out unavailable values and foreign delegations", async () => {
    const gateway = new FakeGateway();
    gateway.lent.push(delegationTo(BOB));
    const refused = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://fake.test", attempts: 1, reason: "no" });
    gateway.fail("reward", refused);
    gateway.fail("headBlock", refused);
    gateway.delegationsBetween = async () => [delegationTo(BOB), { ...delegationTo(BOB), from: BOB, to: ALICE }];
    const details = await new DetailReader(gateway).read(delegator, signal);

    assert.deepEqual([details.reward, details.headTimestamp], [undefined, undefined]);
    assert.deepEqual(details.delegations, [delegationTo(BOB)]);
  });
});
