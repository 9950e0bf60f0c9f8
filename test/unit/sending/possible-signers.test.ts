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

describe("accountsToSign", () => {
  const keysOf = (...accounts: readonly (typeof own)[]) => ({
    listOn: () => accounts.map((it) => ({ ...it, label: "Till" })),
  });

  it("rejects when no account can sign", () => {
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

  it("includes watch-only accounts for a transaction file", () => {
    assert.deepEqual(
      accountsToSign(keysOf(watched), NETWORK, true).map(({ watchOnly }) => watchOnly),
      [false],
    );
    assert.throws(() => accountsToSign(keysOf(), NETWORK, true), { code: "SIGNING_ACCOUNT_MISSING" });
  });
});

describe("possibleSigners", () => {
  it("returns accounts with a key without a request", async () => {
    const gateway = { account: () => assert.fail("sent a request") };

    assert.deepEqual(await possibleSigners(gateway, [own], NEVER), [own]);
  });

  it("includes watch-only accounts with a permission for a local key", async () => {
    const gatewayWith = (account: Account | undefined) => ({ account: async () => account });

    assert.deepEqual(await possibleSigners(gatewayWith(accountOf(BOB, ALICE)), [own, watched], NEVER), [own, watched]);
    assert.deepEqual(await possibleSigners(gatewayWith(accountOf(BOB, BOB)), [own, watched], NEVER), [own]);
    assert.deepEqual(await possibleSigners(gatewayWith(undefined), [own, watched], NEVER), [own]);
  });

  it("includes watch-only accounts that the gateway does not report, but no keys of other watch-only accounts", async () => {
    const silent = { account: async () => Promise.reject(new Error("no answer")) };

    assert.deepEqual(await possibleSigners(silent, [own, watched], NEVER), [own, watched]);
    assert.equal(mayBeSignedFor(BOB, accountOf(BOB, ALICE), [{ ...own, watchOnly: true }, watched]), false);
  });
});
