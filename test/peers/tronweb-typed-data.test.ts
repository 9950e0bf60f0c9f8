import assert from "node:assert/strict";
import { TronWeb, Trx } from "tronweb";
import { startLocalChain } from "../../packages/local-chain/src/main.ts";
import { type Address, addressFromBytes, hexToBytes } from "../../packages/tron/src/primitives.ts";
import { addressOfPrivateKey, parsePrivateKey } from "../../packages/tron/src/transaction.ts";
import {
  messageDigest,
  parseMessageSignature,
  parseTypedData,
  signMessageDigest,
} from "../../packages/tron/src/typed-data.ts";
import { howOften } from "../support/random/how-often.ts";
import { randomTypedData } from "../support/typed-data/random-typed-data.ts";

const KEY = "11".repeat(32);
const ACCOUNT = addressOfPrivateKey(parsePrivateKey(KEY));
/** Calls the precompile ecrecover for each 128 bytes of its input, and returns the results. */
const RUNTIME =
  "366000600037" + // calldatacopy(0, 0, size)
  "60005b36811015602657" + // for (i = 0; i < size;
  "60208160021c36016080836001" + // ecrecover of 128 bytes at i, to size + i / 4
  "5afa50608001600856" + // i += 128)
  "5b503660021c36f3"; // return(size, size / 4)
const SIZE = (RUNTIME.length / 2).toString(16);
const BYTECODE = `60${SIZE}600c60003960${SIZE}6000f3${RUNTIME}`;
const BATCH = 100;

interface Signed {
  readonly digest: string;
  readonly signature: string;
}

describe("typed data and messages beside TronWeb", () => {
  const signed: Signed[] = [];

  it("have TronWeb's hash and signature for random types", function () {
    this.timeout(howOften(60_000, 3_600_000));
    const seeds = Array.from({ length: howOften(30, 10_000) }, (_, seed) => seed);
    for (const seed of seeds) {
      const { types, domain, message } = randomTypedData(seed);
      const { digest } = parseTypedData(JSON.stringify({ types, domain, message }));
      const signature = signMessageDigest(digest, parsePrivateKey(KEY));

      assert.equal(`0x${signature}`, Trx._signTypedData(domain, types, message, KEY), `seed ${seed}`);
      signed.push({ digest, signature });
    }
    assert.equal(new Set(signed.map(({ digest }) => digest)).size, seeds.length);
  });

  it("sign messages like signMessageV2, for any bytes", function () {
    this.timeout(howOften(60_000, 3_600_000));
    for (let length = 0; length < howOften(10, 1_000); length++) {
      const bytes = Array.from({ length }, (_, at) => (at * 37 + length) % 256);
      const digest = messageDigest(Uint8Array.from(bytes));
      const signature = signMessageDigest(digest, parsePrivateKey(KEY));

      assert.equal(`0x${signature}`, Trx.signMessageV2(bytes, KEY), `${length} bytes`);
      signed.push({ digest, signature });
    }
  });

  it("have the signer that a contract on the chain recovers", async function () {
    this.timeout(howOften(60_000, 3_600_000));
    await using chain = await startRecovery();
    for (let at = 0; at < signed.length; at += BATCH) {
      const batch = signed.slice(at, at + BATCH);
      const found = await chain.recover(batch);
      assert.deepEqual(
        found,
        batch.map(() => ACCOUNT),
      );
    }
    assert.ok(signed.length >= 40);
  });
});

/** Starts a chain with the contract. Only then, because a connection that waits during long work is closed. */
async function startRecovery() {
  const chain = await startLocalChain({ blockTimeMs: "instant", witnesses: 1 });
  const privateKey = chain.ready.accounts[0]?.privateKey;
  assert.ok(privateKey);
  const tronWeb = new TronWeb({ fullHost: chain.baseUrl, privateKey });
  const code = { abi: [], bytecode: BYTECODE, feeLimit: 1_000_000_000, name: "Recover" };
  const unsigned = await tronWeb.transactionBuilder.createSmartContract(code);
  await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
  const contract = String(unsigned.contract_address);
  return {
    recover: async (batch: readonly Signed[]): Promise<readonly Address[]> => {
      const words = batch.map(({ digest, signature }) => {
        const { r, s, recovery } = parseMessageSignature(signature);
        return digest + (27 + recovery).toString(16).padStart(64, "0") + r + s;
      });
      const options = { input: words.join("") };
      const result = await tronWeb.transactionBuilder.triggerConstantContract(contract, "", options);
      const found = String(result.constant_result?.[0]).match(/.{64}/g) ?? [];
      return found.map((word) => addressFromBytes(hexToBytes(`41${word.slice(-40)}`)));
    },
    [Symbol.asyncDispose]: () => chain.close(),
  };
}
