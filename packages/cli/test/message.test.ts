import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, parseAddress, toBase58 } from "../../tron/src/primitives/address.ts";
import { type Hex, hex, hexToBytes } from "../../tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../tron/src/primitives/json.ts";
import type { PrivateKey } from "../../tron/src/transaction/signature.ts";
import { firstFormDigest, messageDigest } from "../../tron/src/typed-data/message.ts";
import { signMessageDigest } from "../../tron/src/typed-data/message-signature.ts";
import { CommandChain } from "./support/chain.ts";
import { partOf, type RunInput, run, runJson } from "./support/test-terminal.ts";

/** Own account, and an address with the same beginning and end. */
const FRIEND = "TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13";
const SIMILAR = "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13";
const SPENDER = toBase58(parseAddress(`41${"5e".repeat(20)}`));
const UNLIMITED = ((1n << 256n) - 1n).toString();
const FAR_BEHIND = "1500000000";

/** Returns creation code for code of up to 255 bytes. */
function creationOf(code: string): Hex {
  return hex(`60${(code.length / 2).toString(16).padStart(2, "0")}80600b6000396000f3${code}`);
}

/** `isValidSignature` of a wallet of one key: recovers the signer, and returns the magic value if it is the owner. */
function walletOf(owner: Address): Hex {
  const returned = (value: string): string => `63${value}60e01b60005260206000f3`;
  const recover = "60043560005260a43560f81c602052606435604052608435606052602060806080600060015afa50";
  const compare = `60805173${"ff".repeat(20)}1673${owner.slice(2)}14`;
  const before = recover + compare;
  const refused = returned("ffffffff");
  const target = before.length / 2 + 3 + refused.length / 2;
  return creationOf(`${before}60${target.toString(16)}57${refused}5b${returned("1626ba7e")}`);
}

const REVERTING = creationOf("60006000fd");
const HALTING = creationOf("fe");
/** Returns true, as contracts did before the magic value was introduced. */
const WRONG_VALUE = creationOf("600160005260206000f3");
/** Returns the four bytes of the magic value and nothing else. */
const SHORT_VALUE = creationOf("631626ba7e60e01b60005260046000f3");

describe("messages and typed data in the command line", () => {
  let chain: CommandChain;
  let folder: string;
  let chainId: string;
  let alice: string;

  before(async () => {
    chain = await CommandChain.start();
    const { blockID } = await chain.post("/wallet/getblockbynum", { num: 0 });
    chainId = String(Number.parseInt(String(blockID).slice(-8), 16));
    alice = toBase58(chain.address(0));
    folder = mkdtempSync(join(tmpdir(), "finality-message-"));
    writeFileSync(join(folder, "finality.config.json"), JSON.stringify({ addresses: { Friend: FRIEND } }));
  });

  after(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const input = (more: RunInput = {}): RunInput => ({
    folder,
    ...more,
    env: { ...chain.env, FINALITY_JOURNAL: "journal", KEY: chain.privateKey(0) },
  });
  const signWith = (text: string) =>
    `0x${signMessageDigest(messageDigest(Buffer.from(text)), hexToBytes(chain.privateKey(0)) as PrivateKey)}`;

  /** Signs a message after the review was confirmed. */
  async function signText(...more: readonly string[]) {
    const { exitCode, output } = await run(
      ["message", "sign", "--key-env", "KEY", ...more],
      input({ answers: ["yes"] }),
    );
    return { exitCode, review: output, signature: /(0x[0-9a-f]{130})\n$/.exec(output)?.[1] ?? "" };
  }

  const verify = (...more: readonly string[]) => runJson(["message", "verify", ...more], input());

  it("signs a message after its review, and verifies who signed, without a network", async () => {
    const { exitCode, review, signature } = await signText("--text", "Sign in");
    const verified = await verify("--text", "Sign in", "--signature", signature);
    const other = await verify("--text", "Sign out", "--signature", signature, "--address", alice);

    assert.equal(exitCode, 0);
    assert.match(review, new RegExp(`^Sign this message\\?\n\nSigns: ${alice}\n.*names no chain.*\nSign in\n`, "s"));
    assert.equal(signature, signWith("Sign in"));
    assert.deepEqual([verified.exitCode, partOf(verified.line, "result").signer], [0, alice]);
    assert.deepEqual([other.exitCode, partOf(other.line, "result").valid], [1, false]);
  });

  it("signs nothing that was not confirmed, also with --yes and on the local chain", async () => {
    const declined = await run(["message", "sign", "--key-env", "KEY", "--text", "Hi"], input({ answers: ["no"] }));
    const yes = await runJson(["message", "sign", "--key-env", "KEY", "--text", "Hi", "--local", "--yes"], input());

    assert.deepEqual([declined.exitCode, /0x[0-9a-f]{130}/.test(declined.output)], [4, false]);
    assert.deepEqual([yes.exitCode, partOf(yes.line, "error").code], [4, "NOT_CONFIRMED"]);
    assert.match(String(partOf(yes.line, "error").cause), /valid on every chain/);
  });

  it("signs the bytes of a file, of standard input and of --hex, and names what may be a hash", async () => {
    const files = { "hello.txt": "Hello\n", "-": "Hello" };
    const sign = (...more: readonly string[]) =>
      run(["message", "sign", ...more, "--key-env", "KEY"], input({ files, answers: ["yes"] }));
    const [file, piped, bytes] = [await sign("hello.txt"), await sign(), await sign("--hex", `0x${"ab".repeat(32)}`)];

    assert.ok(file.output.endsWith(`${signWith("Hello\n")}\n`));
    assert.ok(piped.output.endsWith(`${signWith("Hello")}\n`));
    assert.match(bytes.output, /\n⚠ It may be a hash/);
  });

  it("accepts a signature of a program only if it is of its account", async () => {
    const program = (signature: string): string => {
      const file = join(folder, "signer.sh");
      writeFileSync(file, `#!/bin/sh\ncat > ${folder}/request.json\necho ${signature}\n`);
      chmodSync(file, 0o755);
      return file;
    };
    const sign = (signature: string, address: string) =>
      run(
        ["message", "sign", "--text", "Hi", "--signer", program(signature), "--address", address],
        input({ answers: ["yes"] }),
      );
    const zero = signWith("Hi").replace(/1b$/, "00").replace(/1c$/, "01");
    const [own, foreign] = [await sign(zero, alice), await sign(zero, FRIEND)];

    assert.ok(own.output.endsWith(`${signWith("Hi")}\n`));
    assert.equal(foreign.exitCode, 4);
    assert.match(foreign.report, /SIGNATURE_FOREIGN/);
  });

  interface Permit {
    readonly spender?: string;
    readonly value?: string;
    readonly deadline?: string;
    readonly chain?: string;
  }

  function permit({ spender = SPENDER, value = "5", deadline, chain: id = chainId }: Permit = {}): string {
    const now = Math.floor(Number(chain.chain.simulation.chain.head.header.timestamp) / 1_000);
    const uint = (name: string) => ({ name, type: "uint256" });
    const address = (name: string) => ({ name, type: "address" });
    return JSON.stringify({
      types: {
        EIP712Domain: [{ name: "name", type: "string" }, uint("chainId"), address("verifyingContract")],
        Permit: [address("owner"), address("spender"), uint("value"), uint("nonce"), uint("deadline")],
      },
      primaryType: "Permit",
      domain: { name: "Leaf", chainId: id, verifyingContract: toBase58(parseAddress(`41${"77".repeat(20)}`)) },
      message: { owner: alice, spender, value, nonce: "0", deadline: deadline ?? String(now + 3_600) },
    });
  }

  const permitRun = (fields: Permit, answers: readonly string[]) => {
    return input({ files: { "permit.json": permit(fields) }, answers });
  };
  const signPermit = (fields: Permit, ...more: readonly string[]) =>
    runJson(["typed-data", "sign", "permit.json", "--local", "--key-env", "KEY", ...more], permitRun(fields, []));
  /** Signs after the review was confirmed on the terminal. */
  const confirmPermit = (fields: Permit, ...more: readonly string[]) =>
    run(["typed-data", "sign", "permit.json", "--local", "--key-env", "KEY", ...more], permitRun(fields, ["yes"]));

  const reviewOf = (events: readonly JsonObject[]): string => `${events[0]?.title}\n${events[0]?.detail}`;

  it("signs typed data with --yes on a test network if the review has no warning", async () => {
    const { exitCode, line, events } = await signPermit({}, "--yes");
    const { signature } = partOf(line, "result");
    const files = { "permit.json": permit() };
    const args = ["typed-data", "verify", "permit.json", "--signature", String(signature), "--address", alice];
    const verified = await runJson(args, input({ files }));

    assert.equal(exitCode, 0);
    assert.match(reviewOf(events), /may take up to 5 smallest units of token of /);
    assert.deepEqual([verified.exitCode, partOf(verified.line, "result").by], [0, "key"]);
  });

  for (const [danger, fields, warning] of [
    ["an unlimited permit", { value: UNLIMITED }, /⚠ Unlimited: \S+ can take every token/],
    ["an expired deadline", { deadline: FAR_BEHIND }, /⚠ It is expired by the time of the chain/],
    ["a look-alike spender", { spender: SIMILAR }, new RegExp(`⚠ This is not the account .*${FRIEND}`, "s")],
  ] as const)
    it(`names ${danger} in the review, and refuses --yes then`, async () => {
      const refused = await signPermit(fields, "--yes");
      const confirmed = await confirmPermit(fields);

      assert.match(reviewOf(refused.events), warning);
      assert.deepEqual([refused.exitCode, partOf(refused.line, "error").code], [4, "NOT_CONFIRMED"]);
      assert.equal(confirmed.exitCode, 0);
    });

  it("refuses typed data of another chain, unless the argument names it, and never with --yes", async () => {
    const chainOf = { chain: "728126428" };
    const refused = await signPermit(chainOf);
    const wrong = await signPermit(chainOf, "--chain-id", "1");
    const yes = await signPermit(chainOf, "--chain-id", "728126428", "--yes");
    const named = await confirmPermit(chainOf, "--chain-id", "728126428");

    assert.deepEqual(
      [refused, wrong, yes].map(({ exitCode, line }) => [exitCode, partOf(line, "error").code]),
      [
        [4, "MESSAGE_REFUSED"],
        [4, "MESSAGE_REFUSED"],
        [4, "NOT_CONFIRMED"],
      ],
    );
    assert.deepEqual([named.exitCode, /⚠ It is for chain 728126428/.test(named.output)], [0, true]);
  });

  it("refuses arguments and typed data that cannot be read", async () => {
    const runs = [
      await runJson(["message", "list"], input()),
      await runJson(["message", "verify", "--text", "a"], input()),
      await runJson(["message", "verify", "--text", "a", "--signature", "0x12"], input()),
      await runJson(["message", "sign", "--text", "a", "--hex", "00", "--key-env", "KEY"], input()),
      await runJson(["typed-data", "sign", "--key-env", "KEY", "--local"], input({ files: { "-": "{}" } })),
    ];

    assert.deepEqual(
      runs.map(({ exitCode, line }) => [exitCode, partOf(line, "error").code]),
      [
        [2, "USAGE"],
        [2, "USAGE"],
        [2, "SIGNATURE_MALFORMED"],
        [2, "USAGE"],
        [2, "TYPED_DATA_MALFORMED"],
      ],
    );
  });

  it("verifies TronWeb's first form of messages, and says so", async () => {
    const digest = firstFormDigest(Buffer.from("Hi"));
    const signature = signMessageDigest(digest, hexToBytes(chain.privateKey(0)) as PrivateKey);
    const { line } = await verify("--text", "Hi", "--signature", signature, "--address", alice);

    assert.deepEqual([partOf(line, "result").valid, partOf(line, "result").isFirstForm], [true, true]);
  });

  describe("of a contract (TRC-1271)", () => {
    let wallet: string;

    before(async () => {
      wallet = toBase58(await chain.deploy("Wallet", walletOf(chain.address(0))));
    });

    const verifyBy = (address: string, signature = signWith("Pay")) =>
      verify("--text", "Pay", "--signature", signature, "--address", address, "--local");
    const outcome = ({ exitCode, line }: Awaited<ReturnType<typeof verifyBy>>) => {
      const { valid, by, contractAsked } = partOf(line, "result");
      return [exitCode, valid, by, contractAsked];
    };

    it("is valid if the contract recovers its owner, and not without a network", async () => {
      const offline = await verify("--text", "Pay", "--signature", signWith("Pay"), "--address", wallet);

      assert.deepEqual(outcome(await verifyBy(wallet)), [0, true, "contract", true]);
      assert.deepEqual(outcome(offline), [1, false, undefined, false]);
    });

    it("is not valid for another message, another key, or bytes that are no signature of a key", async () => {
      const other = signMessageDigest(messageDigest(Buffer.from("Pay")), hexToBytes(chain.privateKey(1)) as PrivateKey);

      for (const signature of [signWith("Pay twice"), other, "0x", "0xff", `0x${"ab".repeat(400)}`])
        assert.deepEqual(
          outcome(await verifyBy(wallet, signature)),
          [1, false, undefined, true],
          signature.slice(0, 20),
        );
    });

    for (const [title, code] of [
      ["reverts", REVERTING],
      ["halts", HALTING],
      ["returns true instead of the magic value", WRONG_VALUE],
      ["returns less than a word", SHORT_VALUE],
    ] as const)
      it(`is not valid if the contract ${title}`, async () => {
        const contract = toBase58(await chain.deploy("Contract", code));

        assert.deepEqual(outcome(await verifyBy(contract)), [1, false, undefined, true]);
      });

    it("is not valid for an account without code, and for an address without an account", async () => {
      for (const address of [toBase58(chain.address(1)), SPENDER])
        assert.deepEqual(outcome(await verifyBy(address)), [1, false, undefined, true]);
    });
  });
});
