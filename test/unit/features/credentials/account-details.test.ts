import assert from "node:assert/strict";
import type { Delegation } from "../../../../packages/client/src/gateway/gateway.ts";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { type Address, parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { DetailReader } from "../../../../src/features/credentials/account-details.ts";
import { FakeGateway } from "../../../support/fakes/fake-gateway.ts";
import { accountWith } from "../../../support/tracking/open-account.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const DETAILS_EACH = 10;
const NONE = { BANDWIDTH: sun(0n), ENERGY: sun(0n), TRON_POWER: sun(0n) };
const lender = accountWith({
  stakes: { own: NONE, delegated: { ...NONE, ENERGY: sun(1n) }, received: NONE, unstaking: [] },
});
const loan = (to: Address): Delegation => ({ from: ALICE, to, resource: "ENERGY", amount: sun(1n), lockedUntil: 0 });
const { signal } = new AbortController();

describe("the details of an account", () => {
  it("cost three requests where nothing is lent and no token is held", async () => {
    const gateway = new FakeGateway();
    const details = await new DetailReader(gateway).read(accountWith(), signal);

    assert.deepEqual(gateway.requests.toSorted(), [`accountResources ${ALICE}`, "headBlock", `reward ${ALICE}`]);
    assert.equal(details.headTimestamp, gateway.head.timestamp);
  });

  it("cost one more, and one for each partner, where something is lent; of many the first ones are asked for", async () => {
    const gateway = new FakeGateway();
    for (let at = 1; at <= DETAILS_EACH + 3; at++)
      gateway.lent.push(loan(parseAddress(`41${String(at).padStart(40, "0")}`)));
    const details = await new DetailReader(gateway).read(lender, signal);

    assert.equal(gateway.requests.length, 3 + 1 + DETAILS_EACH);
    assert.deepEqual([details.loans.length, details.untoldLoans], [DETAILS_EACH, 3]);
  });

  it("describe each token once", async () => {
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

    assert.deepEqual([...tokens.keys()], ["1000001"], "a description of another token is none");
    assert.equal(gateway.requests.filter((it) => it === "trc10Token 1000001").length, 1);
  });

  it("leave out what a gateway does not tell, and loans of others than those that were asked for", async () => {
    const gateway = new FakeGateway();
    gateway.lent.push(loan(BOB));
    const refused = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "http://fake.test", attempts: 1, reason: "no" });
    gateway.fail("reward", refused);
    gateway.fail("headBlock", refused);
    gateway.delegationsBetween = async () => [loan(BOB), { ...loan(BOB), from: BOB, to: ALICE }];
    const details = await new DetailReader(gateway).read(lender, signal);

    assert.deepEqual([details.reward, details.headTimestamp], [undefined, undefined]);
    assert.deepEqual(details.loans, [loan(BOB)]);
  });
});
