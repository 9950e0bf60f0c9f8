import assert from "node:assert/strict";
import { parseAddress } from "../../../../src/core/primitives/address.ts";
import { chainIdentity, namedAccounts } from "../../../../src/features/local-chain/chain-accounts.ts";

const account = (digit: string) => ({ address: parseAddress(`41${digit.repeat(40)}`), privateKey: digit.repeat(64) });
const ready = (accounts: number) => ({
  baseUrl: "http://127.0.0.1:1",
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

  it("tell one chain from another by the faucet", () => {
    assert.equal(chainIdentity(ready(1)), account("f").address);
  });
});
