import assert from "node:assert/strict";
import { decryptKeystoreJson, Mnemonic as EthersMnemonic, encryptKeystoreJson, HDNodeWallet, Wallet } from "ethers";
import { TronWeb } from "tronweb";
import { encrypt as encryptByWeb3 } from "web3-eth-accounts";
import { openKeystore, printKeystore, readKeystore } from "../../packages/client/src/keys/keystore.ts";
import { FIRST_PATH, keyAt, parseKeyPath, readMnemonic, seedOf } from "../../packages/client/src/keys/mnemonic.ts";
import { toBase58 } from "../../packages/tron/src/primitives/address.ts";
import { bytesToHex, sha256 } from "../../packages/tron/src/primitives/bytes.ts";
import { addressOfPrivateKey, parsePrivateKey } from "../../packages/tron/src/transaction/signature.ts";
import { dice } from "../support/random/dice.ts";
import { howOften } from "../support/random/how-often.ts";

const ROUNDS = howOften(60, 300);
const SEED = 17;
/** Low scrypt cost, which does not change the algorithm. */
const COST = 1024;
const LETTERS = [..."abcXYZ 0189_!ä€ñ漢字é́🙂"];

type Roll = ReturnType<typeof dice>;

/** Returns reproducible bytes. */
function bytesOf(roll: Roll, length: number): Uint8Array {
  return sha256(Uint8Array.from({ length: 32 }, () => roll(256))).subarray(0, length);
}

function textOf(roll: Roll): string {
  return Array.from({ length: roll(24) }, () => LETTERS[roll(LETTERS.length)] ?? "").join("");
}

/** Returns a path of the chain's wallets, or any other path. */
function pathOf(roll: Roll): string {
  if (roll(2) === 0) return `m/44'/195'/${roll(4)}'/0/${roll(1_000)}`;
  return `m${Array.from({ length: 1 + roll(6) }, () => `/${roll(2 ** 31)}${roll(2) === 0 ? "'" : ""}`).join("")}`;
}

const print = (line: string): void => void process.stdout.write(`      ${line}\n`);
const ethereumForm = (address: string): string => `0x${address.slice(2)}`;

describe(`keys compared with TronWeb and ethers (${ROUNDS} random ones, seed ${SEED})`, function () {
  this.timeout(120_000);

  it("are derived equally from phrase, passphrase and path", async () => {
    const roll = dice(SEED);
    const agreed = { ethers: 0, tronweb: 0, passphrases: 0, lengths: new Set<number>() };
    for (let round = 0; round < ROUNDS; round++) {
      const mnemonic = EthersMnemonic.fromEntropy(bytesOf(roll, 16 + 4 * roll(5)));
      const [passphrase, path] = [round % 3 === 0 ? "" : textOf(roll), pathOf(roll)];
      const phrase = mnemonic.phrase;

      const words = readMnemonic(phrase);
      const key = keyAt(await seedOf(words, passphrase), parseKeyPath(path));

      const theirs = HDNodeWallet.fromMnemonic(EthersMnemonic.fromPhrase(phrase, passphrase), path);
      assert.equal(`0x${bytesToHex(key)}`, theirs.privateKey, `round ${round}`);
      agreed.ethers++;
      if (path.startsWith("m/44'/195'")) {
        const tron = TronWeb.fromMnemonic(phrase, path, passphrase);
        assert.deepEqual(
          [`0x${bytesToHex(key)}`, toBase58(addressOfPrivateKey(key))],
          [tron.privateKey, tron.address],
          `round ${round}`,
        );
        agreed.tronweb++;
      }
      agreed.lengths.add(words.length);
      if (passphrase !== "") agreed.passphrases++;
    }
    const { ethers, tronweb, passphrases, lengths } = agreed;
    print(
      `${ethers} agree with ethers, ${tronweb} of them on the chain's paths with TronWeb; ${passphrases} have a passphrase; ${[...lengths].sort().join(", ")} words`,
    );
    assert.equal(ethers, ROUNDS);
    assert.ok(tronweb > ROUNDS / 3 && passphrases > ROUNDS / 2 && lengths.size === 5);
    const phrase = EthersMnemonic.fromEntropy(bytesOf(roll, 16)).phrase;
    assert.equal(TronWeb.fromMnemonic(phrase).privateKey, TronWeb.fromMnemonic(phrase, FIRST_PATH).privateKey);
  });

  it("have the same addresses", () => {
    const roll = dice(SEED + 1);
    for (let round = 0; round < ROUNDS; round++) {
      const text = bytesToHex(bytesOf(roll, 32));

      const address = addressOfPrivateKey(parsePrivateKey(round % 2 === 0 ? text : `0x${text.toUpperCase()}`));

      assert.equal(toBase58(address), TronWeb.address.fromPrivateKey(text));
      assert.equal(ethereumForm(address), new Wallet(text).address.toLowerCase());
    }
    print(`${ROUNDS} keys have the address that TronWeb and ethers give them`);
  });

  it("are exchanged in keystore files, with scrypt and pbkdf2", async () => {
    const roll = dice(SEED + 2);
    const read = { scrypt: 0, pbkdf2: 0, ours: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const key = parsePrivateKey(bytesToHex(bytesOf(roll, 32)));
      const [hex, password] = [bytesToHex(key), textOf(roll)];
      const address = ethereumForm(addressOfPrivateKey(key));
      const kdf = round % 2 === 0 ? "scrypt" : "pbkdf2";

      const theirs =
        kdf === "scrypt"
          ? await encryptKeystoreJson({ address, privateKey: `0x${hex}` }, password, { scrypt: { N: COST } })
          : JSON.stringify(await encryptByWeb3(`0x${hex}`, password, { kdf: "pbkdf2", c: 1_000 }));
      const ours = await printKeystore(key, password, COST);

      assert.equal(bytesToHex(await openKeystore(readKeystore(theirs), password)), hex, `round ${round}, ${kdf}`);
      assert.equal((await decryptKeystoreJson(ours, password)).privateKey, `0x${hex}`, `round ${round}`);
      read[kdf]++;
      read.ours++;
    }
    print(
      `${read.scrypt} keystores by scrypt of ethers and ${read.pbkdf2} by pbkdf2 of web3 opened here, ${read.ours} of ours opened by ethers`,
    );
  });
});
