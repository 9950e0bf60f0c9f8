import assert from "node:assert/strict";
import { ChainError, isChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { type Address, parseAddress, toBase58 } from "../../../../packages/tron/src/primitives.ts";
import { addressOfPrivateKey, parsePrivateKey } from "../../../../packages/tron/src/transaction.ts";
import {
  firstFormDigest,
  messageDigest,
  readTypedData,
  signMessageDigest,
} from "../../../../packages/tron/src/typed-data.ts";
import { runFor } from "../../../../src/host/caller.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { profileAt } from "../../../support/fakes/gateway-fixtures.ts";

type TestedModule = typeof import("../../../../src/features/messages/commands.ts");

const code = (expected: string) => (error: unknown) => isChainError(error) && error.code === expected;
const KEY = parsePrivateKey("11".repeat(32));
const SIGNER = addressOfPrivateKey(KEY);
const OTHER = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const CHAIN = `${"0".repeat(56)}2b6653dc`;
const TYPES = { Hello: [{ name: "to", type: "address" }] };
const typedData = (chainId: string) => ({ types: TYPES, domain: { chainId }, message: { to: toBase58(OTHER) } });

/** A contract's answer to `isValidSignature`; undefined for an account without code. */
type ContractAnswer = { readonly reverted: boolean; readonly returned: string } | undefined;

describe("commands of messages", () => {
  let parts: TestedModule;

  before(async () => {
    parts = await loadWithEditor<TestedModule>("src/features/messages/commands.ts");
  });

  beforeEach(() => editor.reset());
  after(() => editor.reset());

  function commandsWith(given: { readonly answer?: ContractAnswer; readonly isOffline?: boolean } = {}) {
    const reviewed: { title: string; detail: string }[] = [];
    const calls: { data: string }[] = [];
    const unreachable = () =>
      Promise.reject(new ChainError("NODE_REFUSED", { endpoint: "", code: "", message: "", body: "" }));
    const gateway = {
      headBlock: async () => (given.isOffline ? unreachable() : { number: 1, timestamp: 1_800_000_000_000 }),
      deployedContract: async () => (given.answer === undefined ? undefined : {}),
      constantCall: async (run: { data: string }) => {
        calls.push(run);
        return given.answer;
      },
    };
    const account = { address: SIGNER, label: "Alice", watchOnly: false };
    const services = {
      networks: { get: () => profileAt("https://one.test") },
      gateways: { for: async () => gateway },
      chains: { networkRefOf: async () => (given.isOffline ? unreachable() : { network: "One", chain: CHAIN }) },
      keys: {
        addressOf: (name: string) => (name === "Alice" ? SIGNER : undefined),
        find: () => account,
        list: () => [account],
        isOutside: () => false,
        nameOf: (it: Address) => (it === SIGNER ? "Alice" : undefined),
        knownOn: () => [],
      },
      transactions: { ready: async () => undefined, list: () => [] },
      sender: async () => ({
        signMessage: async ({ digest }: { digest: never }, review: { title: string; detail: string }) => {
          reviewed.push(review);
          return signMessageDigest(digest, KEY);
        },
      }),
    };
    const { commands } = parts.createMessages(services as never);
    const run = async (name: "signMessage" | "signTypedData" | "verifySignature", argument: object) =>
      (await runFor(argument, async () => commands[`finality.${name}`](argument as never, argument))) as
        | Record<string, unknown>
        | undefined;
    return { run, reviewed, calls };
  }

  it("return the signature and the hash of a message, as text or as bytes", async () => {
    const { run, reviewed } = commandsWith();
    const digest = messageDigest(Buffer.from("Hi"));
    const expected = {
      address: toBase58(SIGNER),
      digest: `0x${digest}`,
      signature: `0x${signMessageDigest(digest, KEY)}`,
    };

    assert.deepEqual(await run("signMessage", { account: "Alice", message: "Hi" }), expected);
    assert.deepEqual(await run("signMessage", { account: "Alice", hex: "0x4869" }), expected);
    assert.match(reviewed[0]?.detail ?? "", /Hi$/);
    for (const argument of [{}, { message: "Hi", hex: "00" }, { hex: "0x0" }])
      await assert.rejects(run("signMessage", { account: "Alice", ...argument }), code("COMMAND_ARGUMENT_MALFORMED"));
  });

  it("sign typed data for the chain of the network", async () => {
    const { run, reviewed } = commandsWith();
    const data = typedData("728126428");

    const signed = await run("signTypedData", { account: "Alice", typedData: data });

    assert.equal(signed?.digest, `0x${readTypedData(data).digest}`);
    assert.doesNotMatch(reviewed[0]?.detail ?? "", /is for chain|not checked/);
  });

  it("refuse typed data for another chain to a program that does not name it, before any review", async () => {
    const { run, reviewed } = commandsWith();
    const argument = { account: "Alice", typedData: JSON.stringify(typedData("1")) };

    await assert.rejects(run("signTypedData", argument), code("MESSAGE_REFUSED"));
    await assert.rejects(run("signTypedData", { ...argument, chainId: "2" }), code("MESSAGE_REFUSED"));
    assert.equal(reviewed.length, 0);

    assert.ok(await run("signTypedData", { ...argument, chainId: "1" }));
    assert.match(reviewed[0]?.detail ?? "", /^⚠ It is for chain 1, and .* is chain 728126428/);
  });

  it("ask a person before the review of typed data for another chain", async () => {
    const { reviewed } = commandsWith();
    const { commands } = parts.createMessages({
      networks: { get: () => profileAt("https://one.test") },
      gateways: { for: async () => ({ headBlock: async () => ({ timestamp: 1 }) }) },
      chains: { networkRefOf: async () => ({ network: "One", chain: CHAIN }) },
      keys: {
        addressOf: () => SIGNER,
        find: () => ({ address: SIGNER }),
        isOutside: () => false,
        nameOf: () => undefined,
      },
      transactions: { ready: async () => undefined },
    } as never);
    const argument = { account: "Alice", typedData: typedData("1") };

    const signed = await runFor(undefined, async () => commands["finality.signTypedData"](argument, undefined));

    assert.deepEqual([signed, reviewed], [undefined, []]);
    assert.deepEqual(
      editor.asked.map(({ buttons }) => buttons),
      [["Do Not Sign", "Review Anyway"]],
    );
  });

  it("name what the gateway does not report in the review", async () => {
    const { run, reviewed } = commandsWith({ isOffline: true });

    await run("signTypedData", { account: "Alice", typedData: typedData("1") });

    assert.match(reviewed[0]?.detail ?? "", /⚠ The gateway did not report its chain, so the chain ID 1 is not checked/);
  });

  it("verify the signer of a message and of typed data, in both forms of the last byte", async () => {
    const { run } = commandsWith();
    const data = typedData("1");
    const signature = signMessageDigest(readTypedData(data).digest, KEY);
    const short = signature.slice(0, -2) + (signature.endsWith("1b") ? "00" : "01");

    for (const it of [signature, `0x${short}`])
      assert.deepEqual(await run("verifySignature", { typedData: data, signature: it }), {
        valid: true,
        by: "key",
        signer: toBase58(SIGNER),
      });
    const message = { message: "Hi", signature: signMessageDigest(messageDigest(Buffer.from("Hi")), KEY) };
    assert.equal((await run("verifySignature", { ...message, address: "Alice" }))?.valid, true);
    assert.deepEqual(
      await run("verifySignature", { ...message, message: "Ho", address: "Alice" }).then((it) => it?.valid),
      false,
    );
  });

  it("verify the first form of TronWeb only for an address, and name it", async () => {
    const { run } = commandsWith();
    const signature = signMessageDigest(firstFormDigest(Buffer.from("Hi")), KEY);

    const verified = await run("verifySignature", { message: "Hi", signature, address: toBase58(SIGNER) });

    assert.deepEqual(verified, { valid: true, by: "key", signer: toBase58(SIGNER), isFirstForm: true });
  });

  it("verify by the contract of the address, which decides about any bytes (TRC-1271)", async () => {
    const magic = `1626ba7e${"0".repeat(56)}`;
    const answers: readonly (readonly [ContractAnswer, boolean])[] = [
      [{ reverted: false, returned: magic }, true],
      [{ reverted: false, returned: "f".repeat(64) }, false],
      [{ reverted: false, returned: "" }, false],
      [{ reverted: false, returned: magic + magic }, false],
      [{ reverted: true, returned: magic }, false],
      [undefined, false],
    ];
    for (const [answer, valid] of answers) {
      const { run, calls } = commandsWith({ answer });
      const argument = { message: "Hi", signature: "0xabcd", address: toBase58(OTHER) };

      assert.deepEqual(await run("verifySignature", argument), valid ? { valid, by: "contract" } : { valid });
      const digest = messageDigest(Buffer.from("Hi"));
      if (answer !== undefined) assert.match(calls[0]?.data ?? "", new RegExp(`^1626ba7e${digest}.*0002abcd0+$`));
    }
  });

  it("refuse a signature of another length without an address", async () => {
    const { run } = commandsWith();

    await assert.rejects(run("verifySignature", { message: "Hi", signature: "abcd" }), code("SIGNATURE_MALFORMED"));
    await assert.rejects(run("verifySignature", { message: "Hi" }), code("COMMAND_ARGUMENT_MALFORMED"));
    await assert.rejects(run("verifySignature", { signature: "00" }), code("COMMAND_ARGUMENT_MALFORMED"));
  });
});
