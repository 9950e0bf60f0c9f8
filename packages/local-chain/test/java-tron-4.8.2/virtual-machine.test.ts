import assert from "node:assert/strict";
import { p256 } from "@noble/curves/nist.js";
import { type ContractFixture, contractFixture } from "../../../../test/support/chain/contract-fixture.ts";
import { BLOCK_HASH_HISTORY } from "../../src/chain/block-hash-history.ts";

const word = (value: number | bigint): string => value.toString(16).padStart(64, "0");
const size = (hex: string): string => (hex.length / 2).toString(16).padStart(4, "0");

/** Init code that calls a precompiled contract and returns whether that succeeded, and its output. */
function callPrecompile(address: number, input: string): string {
  const target = address.toString(16).padStart(8, "0");
  const length = size(input);
  return `61${length}6100296000396000600061${length}600063${target}5afa6000523d600060203e3d6020016000f3${input}`;
}

interface Answer {
  /** Message of a failure, or the returned bytes in hex. */
  readonly output: string;
  readonly energy: number;
}

async function constant(contracts: ContractFixture, initCode: string): Promise<Answer> {
  const { result, constant_result: words, energy_used: energy } = await contracts.constant(initCode);
  const { message } = result as { message?: string };
  const output =
    message === undefined ? String((words as readonly string[])[0]) : Buffer.from(message, "hex").toString();
  return { output, energy: Number(energy) };
}

const secret = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
const hash = Uint8Array.from({ length: 32 }, () => 0x5a);
const signature = Buffer.from(p256.sign(hash, secret, { prehash: false, lowS: false })).toString("hex");
const key = Buffer.from(p256.getPublicKey(secret, false)).subarray(1).toString("hex");
const signed = Buffer.from(hash).toString("hex") + signature + key;

/** Cases of a real node: code, then output and energy of 4.8.2 and of 4.8.0. */
const CASES: readonly (readonly [
  name: string,
  code: string,
  new482: readonly [string, number],
  old: readonly [string, number],
])[] = [
  [
    "P256VERIFY of a good signature (TIP-7951)",
    callPrecompile(0x100, signed),
    [word(1) + word(1), 19_822],
    [word(1), 6519],
  ],
  ["P256VERIFY of a bad signature", callPrecompile(0x100, "00".repeat(160)), [word(1), 13_419], [word(1), 6519]],
  ["P256VERIFY of a short input", callPrecompile(0x100, "aa"), [word(1), 13_395], [word(1), 6495]],
  [
    "MODEXP of short numbers (TIP-7883)",
    callPrecompile(5, `${word(1)}${word(1)}${word(1)}020205`),
    [`${word(1)}04`, 7216],
    [`${word(1)}04`, 6716],
  ],
  [
    "MODEXP of words",
    callPrecompile(5, `${word(32).repeat(3)}${word(0)}${"ff".repeat(32)}${"ff".repeat(32)}`),
    [word(1) + word(0), 17_008],
    [word(1) + word(0), 25_984],
  ],
  ["MODEXP of nothing", callPrecompile(5, word(0).repeat(3)), [word(1), 7007], [word(1), 6507]],
  [
    "MODEXP with modulus 0",
    callPrecompile(5, `${word(1)}${word(1)}${word(4)}020200000000`),
    [`${word(1)}00000000`, 7816],
    [word(1), 6513],
  ],
  [
    "MODEXP of a number above 1024 bytes (TIP-7823)",
    callPrecompile(5, `${word(1025)}${word(0)}${word(0)}00`),
    [word(0), 98_443_925],
    [word(1), 24_412],
  ],
  [
    "validatemultisign of an odd length",
    callPrecompile(0x0a, "00".repeat(161)),
    [word(0), 98_443_925],
    [word(1) + word(0), 12_928],
  ],
  [
    "batchvalidatesign of a header alone",
    callPrecompile(0x09, "00".repeat(160)),
    [word(0), 98_443_925],
    [word(1) + word(0), 12_922],
  ],
  ["SELFDESTRUCT in init code", "33ff", ["", 5002], ["", 2]],
  [
    "EXTCODESIZE of the block hash history (TIP-2935)",
    "730000f90827f1c53a10cb7a02335b1753200029353b60005260206000f3",
    [word(0x53), 6436],
    [word(0), 6436],
  ],
  [
    "the output of a precompiled contract that is longer than its memory range",
    "7f11111111111111111111111111111111111111111111111111111111111111116000526001604060206000600060045af15060206040f3",
    [`11${"00".repeat(31)}`, 6502],
    ["11".repeat(32), 6502],
  ],
];

/** Runtime code: SELFDESTRUCT to the address in the first word of the input. */
const SUICIDE = "5f35ff";
/** Runtime code: passes its input to the block hash history and returns the answer. */
const ASK_HISTORY = `60205f60205f355f5273${BLOCK_HASH_HISTORY.slice(2)}60205f60205f845afa5060205ff3`;

describe("the virtual machine of java-tron 4.8.2", () => {
  let contracts: ContractFixture;
  let old: ContractFixture;

  before(async () => {
    contracts = await contractFixture({}, { nodeVersion: "4.8.2" });
    old = await contractFixture({}, { nodeVersion: "4.8.0" });
  });

  for (const [name, code, [output, energy], [outputBefore, energyBefore]] of CASES) {
    it(`runs ${name} as the node does, and as 4.8.0 does before it`, async () => {
      assert.deepEqual(await constant(contracts, code), { output, energy });
      assert.deepEqual(await constant(old, code), { output: outputBefore, energy: energyBefore });
    });
  }

  it("has CLZ, which 4.8.0 does not know (TIP-7939)", async () => {
    const clz = (value: number): string => `60${word(value).slice(-2)}1e60005260206000f3`;
    assert.deepEqual(await constant(contracts, clz(1)), { output: word(255), energy: 6421 });
    assert.deepEqual(await constant(contracts, clz(0)), { output: word(256), energy: 6421 });
    assert.deepEqual(await constant(contracts, clz(0xff)), { output: word(248), energy: 6421 });
    assert.match((await constant(old, clz(1))).output, /Invalid operation code: opCode\[1e\]/);
  });

  it("follows the proposals: with all of them off it answers as 4.8.0", async () => {
    const off = Object.fromEntries(
      ["SelfdestructRestriction", "Osaka", "Prague"].map((name) => [`getAllowTvm${name}`, 0]),
    );
    const bare = await contractFixture(off, { nodeVersion: "4.8.2" });
    for (const [name, code, , [output, energy]] of CASES) {
      assert.deepEqual(await constant(bare, code), { output, energy }, name);
    }
  });

  it("keeps a contract that ends itself, and sends its coins (TIP-6780)", async () => {
    for (const [fixture, stays] of [
      [contracts, true],
      [old, false],
    ] as const) {
      const address = await fixture.install(SUICIDE, { value: 500 });
      const heir = `41${stays ? "ab" : "cd"}${"00".repeat(19)}`;
      const { result, energy } = await fixture.call(address, word(BigInt(`0x${heir.slice(2)}`)));
      assert.deepEqual([result, energy], ["SUCCESS", stays ? 30_005 : 25_005]);
      const { code_hash: codeHash } =
        ((await fixture.ask("getcontractinfo", { value: address })).smart_contract as {
          code_hash?: string;
        }) ?? {};
      assert.equal(codeHash !== undefined, stays);
      assert.equal((await fixture.ask("getaccount", { address: heir })).balance, 500);
      assert.equal((await fixture.ask("getaccount", { address })).balance, undefined);
    }
  });

  it("keeps the coins of a contract that names itself as the beneficiary", async () => {
    const address = await contracts.install(SUICIDE, { value: 500 });
    const { info } = await contracts.call(address, word(BigInt(`0x${address.slice(2)}`)));
    assert.equal((await contracts.ask("getaccount", { address })).balance, 500);
    const [internal] = info.internal_transactions as readonly { note: string; callValueInfo: readonly object[] }[];
    assert.deepEqual(internal?.callValueInfo, [{ callValue: 500 }]);
  });

  it("removes a contract that ends itself in the transaction that created it", async () => {
    // Init code that ends the new contract: the creation succeeds, and nothing is left.
    const { address, result } = await contracts.deploy("33ff", { value: 7 });
    assert.equal(result, "SUCCESS");
    assert.deepEqual(await contracts.ask("getcontract", { value: address }), {});
    assert.deepEqual(await contracts.ask("getaccount", { address }), {});
  });

  it("serves the hashes of the last blocks from a contract (TIP-2935)", async () => {
    const asker = await contracts.install(ASK_HISTORY);
    const { blockID, block_header: header } = (await contracts.ask("getnowblock", {})) as {
      blockID: string;
      block_header: { raw_data: { number: number } };
    };
    const { number } = header.raw_data;
    const { returned } = await contracts.call(asker, word(number));
    assert.equal(returned, blockID);
    const { result } = await contracts.call(asker, word(number + 100));
    assert.equal(result, "SUCCESS");
  });

  it("forgets the return data before CREATE2", async () => {
    // Identity of one word, then CREATE2 of nothing, then RETURNDATASIZE.
    const code = "5f5f60205f5f60045af1505f5f5f5ff5503d5f5260205ff3";
    assert.equal((await constant(contracts, code)).output, word(0));
    assert.equal((await constant(old, code)).output, word(32));
  });

  it("does not let the size of a list of votes wrap to nothing", async () => {
    const length = `7f08${"00".repeat(31)}`;
    const vote = `5f${length}5f${length}d85f5260205ff3`;
    const cost = async (fixture: ContractFixture): Promise<string> => (await constant(fixture, vote)).output;
    assert.match(await cost(contracts), /Out of Memory when 'VOTEWITNESS' operation executing/);
    assert.doesNotMatch(await cost(old), /Out of Memory when 'VOTEWITNESS' operation executing/);
  });

  it("ends MODEXP of a long exponent without numbers, before proposal 96", async () => {
    const before96 = await contractFixture({ getAllowTvmOsaka: 0 }, { nodeVersion: "4.8.2" });
    const code = callPrecompile(5, word(0) + word(1025) + word(0));
    assert.match((await constant(before96, code)).output, /CPU timeout for modExp executing/);
    assert.equal((await constant(old, code)).output, word(1));
  });
});
