import assert from "node:assert/strict";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { chainIdentity, namedAccounts } from "../../../../src/features/local-chain/chain-accounts.ts";

const account = (digit: string) => ({ address: parseAddress(`41${digit.repeat(40)}`), privateKey: digit.repeat(64) });
const ready = (accounts: number) => ({
  baseUrl: "http://127.0.0.1:1",
  proof: "a".repeat(64),
  faucet: account("f"),
  accounts: Array.from({ length: accounts }, (_, index) => account((index % 10).toString())),
});

describe("the accounts of a local chain", () => {
  it("have names that people remember, and the faucet is last", () => {
    const labels = namedAccounts(ready(11)).map(({ label }) => label);

    assert.deepEqual(labels.slice(0, 2), ["Alice", "Bob"]);
    assert.deepEqual(labels.slice(-2), ["Local 11", "Faucet"]);
    assert.equal(new Set(labels).size, labels.length);
  });

  it("H8: tell nothing of which chain it is: its secret does, also where a seed gives the same accounts", () => {
    const again = { ...ready(1), proof: "b".repeat(64) };

    assert.equal(chainIdentity(ready(1)), chainIdentity(ready(2)));
    assert.notEqual(chainIdentity(ready(1)), chainIdentity(again));
    assert.ok(!chainIdentity(ready(1)).includes("aaaaaaaa"));
  });
});
