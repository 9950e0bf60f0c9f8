import assert from "node:assert/strict";
import type { Account } from "../../../../src/core/gateway/gateway.ts";
import { ownKeyAlone } from "../../../../src/core/permissions/permissions.ts";
import type { Address } from "../../../../src/core/primitives/address.ts";
import { sun } from "../../../../src/core/primitives/amount.ts";
import { foreignText } from "../../../../src/core/primitives/plain-text.ts";
import { mayBeSignedFor, possibleSigners } from "../../../../src/host/sending/possible-signers.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const own = { address: ALICE, watchOnly: false };
const watched = { address: BOB, watchOnly: true };
const NEVER = new AbortController().signal;

function accountOf(address: Address, key: Address): Account {
  const active = { id: 2, name: foreignText("pay"), threshold: 2n, keys: [{ address: key, weight: 1n }] };
  return { address, balance: sun(0n), permissions: { ...ownKeyAlone(address), actives: [active] } } as Account;
}

describe("the accounts that a list of senders offers", () => {
  it("are those with a key here, without a question to the gateway", async () => {
    const nobody = { account: () => assert.fail("nothing is to be asked") };

    assert.deepEqual(await possibleSigners(nobody, [own], NEVER), [own]);
  });

  it("are watched ones when keys here have a part in them, and none whose own key alone decides", async () => {
    const gatewayThatTells = (account: Account | undefined) => ({ account: async () => account });

    assert.deepEqual(await possibleSigners(gatewayThatTells(accountOf(BOB, ALICE)), [own, watched], NEVER), [
      own,
      watched,
    ]);
    assert.deepEqual(await possibleSigners(gatewayThatTells(accountOf(BOB, BOB)), [own, watched], NEVER), [own]);
    assert.deepEqual(await possibleSigners(gatewayThatTells(undefined), [own, watched], NEVER), [own]);
  });

  it("are watched ones too of which the gateway tells nothing", async () => {
    const silent = { account: async () => Promise.reject(new Error("nobody answers")) };

    assert.deepEqual(await possibleSigners(silent, [own, watched], NEVER), [own, watched]);
  });

  it("are none by the part of another account that is only watched", () => {
    assert.equal(mayBeSignedFor(BOB, accountOf(BOB, ALICE), [{ ...own, watchOnly: true }, watched]), false);
  });
});
