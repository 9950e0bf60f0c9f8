import assert from "node:assert/strict";
import { isChainError } from "../../../src/core/errors/chain-error.ts";
import { parseAddress } from "../../../src/core/primitives/address.ts";
import { parseReadyLine } from "../../../src/host/local-chain-ready.ts";

const ADDRESS = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const KEY = "c0ffee".padEnd(64, "0");
const ACCOUNT = { address: ADDRESS, hex: parseAddress(ADDRESS), privateKey: KEY, balance: "10000000000" };
const READY = { ready: true, baseUrl: "http://127.0.0.1:9471", faucet: ACCOUNT, accounts: [ACCOUNT] };

describe("the ready line of the local chain", () => {
  it("says where the chain answers and which accounts it brings", () => {
    const account = { address: parseAddress(ADDRESS), privateKey: KEY };

    assert.deepEqual(parseReadyLine(JSON.stringify(READY)), {
      ...{ baseUrl: "http://127.0.0.1:9471", faucet: account, accounts: [account] },
    });
  });

  it("is refused when something is missing, without a word of what it holds", () => {
    const broken = [
      "",
      `{"ready":true,"privateKey":"${KEY}"`,
      JSON.stringify({ ...READY, ready: false }),
      JSON.stringify({ ...READY, accounts: KEY }),
      JSON.stringify({ ...READY, faucet: { ...ACCOUNT, address: KEY } }),
      JSON.stringify({ ...READY, accounts: [{ privateKey: KEY }] }),
    ];

    for (const line of broken) {
      assert.throws(
        () => parseReadyLine(line),
        (error) => isChainError(error) && error.code === "LOCAL_CHAIN_FAILED" && !error.message.includes("c0ffee"),
        line,
      );
    }
  });
});
