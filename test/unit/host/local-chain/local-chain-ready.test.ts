import assert from "node:assert/strict";
import { isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { parseReadyLine } from "../../../../src/host/local-chain/local-chain-ready.ts";

const ADDRESS = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";
const KEY = "c0ffee".padEnd(64, "0");
const PROOF = "5ec2e7".padEnd(64, "0");
const ACCOUNT = { address: ADDRESS, hex: parseAddress(ADDRESS), privateKey: KEY, balance: "10000000000" };
const READY = { ready: true, baseUrl: "http://127.0.0.1:9471", faucet: ACCOUNT, accounts: [ACCOUNT], proof: PROOF };

describe("parseReadyLine", () => {
  it("returns URL, accounts and proof", () => {
    const account = { address: parseAddress(ADDRESS), privateKey: KEY };

    assert.deepEqual(parseReadyLine(JSON.stringify(READY)), {
      baseUrl: "http://127.0.0.1:9471",
      faucet: account,
      accounts: [account],
      proof: PROOF,
    });
  });

  it("rejects an incomplete line without its content", () => {
    const broken = [
      "",
      `{"ready":true,"privateKey":"${KEY}"`,
      JSON.stringify({ ...READY, ready: false }),
      JSON.stringify({ ...READY, accounts: KEY }),
      JSON.stringify({ ...READY, proof: undefined }),
      JSON.stringify({ ...READY, proof: "5ec2e7" }),
      JSON.stringify({ ...READY, faucet: { ...ACCOUNT, address: KEY } }),
      JSON.stringify({ ...READY, accounts: [{ privateKey: KEY }] }),
    ];

    for (const line of broken) {
      assert.throws(
        () => parseReadyLine(line),
        (error) => isChainError(error) && error.code === "LOCAL_CHAIN_FAILED" && !/c0ffee|5ec2e7/.test(error.message),
        line,
      );
    }
  });

  it("H8: rejects a remote address", () => {
    for (const baseUrl of ["http://chain.example:9471", "https://127.0.0.1:9471", "http://127.0.0.1.example:80"]) {
      assert.throws(
        () => parseReadyLine(JSON.stringify({ ...READY, baseUrl })),
        (error) => isChainError(error) && error.code === "LOCAL_CHAIN_FAILED",
        baseUrl,
      );
    }
  });
});
