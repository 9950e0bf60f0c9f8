import assert from "node:assert/strict";
import { contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { parseAddress } from "../../../tron/src/primitives/address.ts";
import { type Account, BLACK_HOLE, newAccount, newContractAccount } from "../../src/chain/account.ts";
import { accountPacking } from "../../src/chain/ledger.ts";

const ADDRESS = parseAddress("41ab8dfe5fb694a42f8d6bdf2aef4613a7d5c68f63");
const OPERATIONS = new Uint8Array(32).fill(7);

describe("accountPacking", () => {
  const usual: Account = { ...newAccount(ADDRESS, 5, OPERATIONS), balance: 9n, tokensApart: true };
  const accounts: readonly Account[] = [
    usual,
    { ...usual, tokensApart: false, lastOperationAt: 7, freeNet: { amount: 1n, slot: 2 } },
    { ...usual, tokens: new Map([["1000001", 3n]]), stake: { ...usual.stake, energy: 4n } },
    { ...usual, ownerPermission: { ...usual.ownerPermission, threshold: 2n } },
    { ...usual, activePermissions: [] },
    newContractAccount(ADDRESS, "code"),
  ];

  it("restores accounts unchanged", () => {
    for (const account of accounts)
      assert.deepEqual(accountPacking.unpack(ADDRESS, accountPacking.pack(account)), account);
  });

  it("stores only differences from a new account", () => {
    assert.deepEqual(accountPacking.pack(usual), { balance: 9n, createdAt: 5, operations: OPERATIONS });
  });
});

const WINDOW = { window_size: 28_800_000, window_optimized: true };

describe("black hole account", () => {
  it("is returned for an empty id as the node prints it, unlike an unknown id", async () => {
    const { ask } = await contractFixture();
    const account = {
      account_name: "Blackhole",
      address: "THkYe2f9MJPt5eKcEdeM5Q8ESPdaRyG8PB",
      balance: -(2n ** 63n),
      net_window_size: WINDOW.window_size,
      net_window_optimized: true,
      account_resource: { energy_window_size: WINDOW.window_size, energy_window_optimized: true },
      owner_permission: {
        permission_name: "owner",
        threshold: 1,
        keys: [{ address: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", weight: 1 }],
      },
    };

    assert.deepEqual(await ask("getaccountbyid", { visible: true }), account);
    assert.deepEqual(await ask("getaccount", { address: account.address, visible: true }), account);
    assert.deepEqual(await ask("getaccountbyid", { account_id: "ab" }), {});
  });

  it("accepts transfers, and code reads its negative balance as unsigned 64 bits", async () => {
    const { install, call, chain } = await contractFixture();
    await chain.ask("/local/fund", { address: BLACK_HOLE, amount: 5 });
    const reader = await install(`73${BLACK_HOLE.slice(2)}315f5260205ff3`);

    const { returned } = await call(reader);

    assert.equal(BigInt(`0x${returned}`), 2n ** 63n + 5n);
  });
});
