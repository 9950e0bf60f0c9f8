import assert from "node:assert/strict";
import type { Account } from "../../../packages/client/src/gateway/gateway.ts";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import { ownKeyAlone } from "../../../packages/client/src/permissions/permissions.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../packages/tron/src/primitives/plain-text.ts";
import { accountsToSign, mayBeSignedFor, possibleSigners } from "../../../src/sending/possible-signers.ts";
import { ALICE, BOB } from "../../support/tracking/tracked.ts";

const own = { address: ALICE, watchOnly: false };
const watched = { address: BOB, watchOnly: true };
const NEVER = new AbortController().signal;

function accountOf(address: Address, key: Address): Account {
  const active = { id: 2, name: foreignText("pay"), threshold: 2n, keys: [{ address: key, weight: 1n }] };
  return { address, balance: sun(0n), permissions: { ...ownKeyAlone(address), actives: [active] } } as Account;
}

const NETWORK: NetworkProfile = {
  name: "Shop",
  baseUrl: "https://gateway.example",
  fallbackUrls: [],
  jwt: false,
  apiKeyHeader: "X-Key",
  production: true,
  local: false,
};

describe("who wants to sign on a network", () => {
  const keysOf = (...accounts: readonly (typeof own)[]) => ({
    listOn: () => accounts.map((it) => ({ ...it, label: "Till" })),
  });

  it("is reported before any question if no account can sign, and never if one can", () => {
    for (const accounts of [[], [watched]])
      assert.throws(() => accountsToSign(keysOf(...accounts), NETWORK, undefined), {
        code: "SIGNING_ACCOUNT_MISSING",
        message: /No account here can sign on Shop/,
      });

    assert.deepEqual(
      accountsToSign(keysOf(own, watched), NETWORK, undefined).map(({ watchOnly }) => watchOnly),
      [false, true],
    );
  });

  it("may take a watched account where the transaction leaves as a file, and still needs one", () => {
    assert.deepEqual(
      accountsToSign(keysOf(watched), NETWORK, true).map(({ watchOnly }) => watchOnly),
      [false],
    );
    assert.throws(() => accountsToSign(keysOf(), NETWORK, true), { code: "SIGNING_ACCOUNT_MISSING" });
  });
});

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
