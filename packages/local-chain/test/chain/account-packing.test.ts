import assert from "node:assert/strict";
import { parseAddress } from "../../../tron/src/primitives/address.ts";
import { type Account, newAccount, newContractAccount } from "../../src/chain/account.ts";
import { accountPacking } from "../../src/chain/ledger.ts";

const ADDRESS = parseAddress("41ab8dfe5fb694a42f8d6bdf2aef4613a7d5c68f63");
const OPERATIONS = new Uint8Array(32).fill(7);

describe("an account that is packed", () => {
  const usual: Account = { ...newAccount(ADDRESS, 5, OPERATIONS), balance: 9n, tokensApart: true };
  const accounts: readonly Account[] = [
    usual,
    { ...usual, tokensApart: false, lastOperationAt: 7, freeNet: { amount: 1n, slot: 2 } },
    { ...usual, tokens: new Map([["1000001", 3n]]), stake: { ...usual.stake, energy: 4n } },
    { ...usual, ownerPermission: { ...usual.ownerPermission, threshold: 2n } },
    { ...usual, activePermissions: [] },
    newContractAccount(ADDRESS, "code"),
  ];

  for (const [index, account] of accounts.entries()) {
    it(`is the same again, whatever it has: ${index}`, () => {
      assert.deepEqual(accountPacking.unpack(ADDRESS, accountPacking.pack(account)), account);
    });
  }

  it("keeps what others have not, and nothing else", () => {
    assert.deepEqual(accountPacking.pack(usual), { balance: 9n, createdAt: 5, operations: OPERATIONS });
  });
});
