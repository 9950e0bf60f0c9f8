import assert from "node:assert/strict";
import { TronWeb, Trx } from "tronweb";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { addressFromBytes, hexToBytes } from "../../packages/tron/src/primitives.ts";
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
  let chain: LocalChain;
  let tronWeb: TronWeb;
  let contract: string;

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: "instant", witnesses: 1 });
    const privateKey = chain.ready.accounts[0]?.privateKey;
    assert.ok(privateKey);
    tronWeb = new TronWeb({ fullHost: chain.baseUrl, privateKey });
    const code = { abi: [], bytecode: BYTECODE, feeLimit: 1_000_000_000, name: "Recover" };
    const unsigned = await tronWeb.transactionBuilder.createSmartContract(code);
    await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned));
    contract = String(unsigned.contract_address);
  });

  after(() => chain.close());

  /** Asserts that the chain recovers the account from each signature. */
  const assertRecovered = async (all: readonly Signed[]): Promise<void> => {
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const words = batch.map(({ digest, signature }) => {
        const { r, s, recovery } = parseMessageSignature(signature);
        return digest + (27 + recovery).toString(16).padStart(64, "0") + r + s;
      });
      const options = { input: words.join("") };
      const result = await tronWeb.transactionBuilder.triggerConstantContract(contract, "", options);
      const found = String(result.constant_result?.[0]).match(/.{64}/g) ?? [];

      assert.deepEqual(
        found.map((word) => addressFromBytes(hexToBytes(`41${word.slice(-40)}`))),
        batch.map(() => ACCOUNT),
      );
    }
  };

  it("have TronWeb's hash and signature, and the signer that the chain recovers, for random types", async function () {
    this.timeout(howOften(60_000, 3_600_000));
    const seeds = Array.from({ length: howOften(300, 10_000, 30) }, (_, seed) => seed);
    const all = seeds.map((seed) => {
      const { types, domain, message } = randomTypedData(seed);
      const { digest } = parseTypedData(JSON.stringify({ types, domain, message }));
      const signature = signMessageDigest(digest, parsePrivateKey(KEY));

      assert.equal(`0x${signature}`, Trx._signTypedData(domain, types, message, KEY), `seed ${seed}`);
      return { digest, signature };
    });
    assert.equal(new Set(all.map(({ digest }) => digest)).size, all.length);
    await assertRecovered(all);
  });

  it("sign messages like signMessageV2, for any bytes", async () => {
    const all = Array.from({ length: howOften(40, 1_000, 10) }, (_, length) => {
      const bytes = Array.from({ length }, (_, at) => (at * 37 + length) % 256);
      const digest = messageDigest(Uint8Array.from(bytes));
      const signature = signMessageDigest(digest, parsePrivateKey(KEY));

      assert.equal(`0x${signature}`, Trx.signMessageV2(bytes, KEY), `${length} bytes`);
      return { digest, signature };
    });
    await assertRecovered(all);
  });
});
