import assert from "node:assert/strict";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import { isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { addressOfPrivateKey, parsePrivateKey } from "../../../packages/tron/src/transaction.ts";
import {
  type MessageDigest,
  messageDigest,
  parseMessageSignature,
  recoverMessageSigner,
} from "../../../packages/tron/src/typed-data.ts";
import { runFor } from "../../../src/host/caller.ts";
import type { MessageConsent } from "../../../src/sending/consent.ts";
import type { SigningServices } from "../../../src/sending/signer.ts";
import type { SenderServices } from "../../../src/sending/transaction-sender.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { profileAt } from "../../support/fakes/gateway-fixtures.ts";

type SenderModule = typeof import("../../../src/sending/transaction-sender.ts");
type SignerModule = typeof import("../../../src/sending/signer.ts");

const code = (expected: string) => (error: unknown) => isChainError(error) && error.code === expected;
const KEY = parsePrivateKey("11".repeat(32));
const SIGNER = addressOfPrivateKey(KEY);
const DIGEST = messageDigest(Buffer.from("Let me in"));
const LOCAL: NetworkProfile = { ...profileAt("http://127.0.0.1:9471"), local: true };
const REVIEW = { title: "Sign this message?", detail: "Let me in", isDoubtful: false };

describe("signatures of messages", () => {
  let parts: SenderModule;
  let signer: SignerModule;

  before(async () => {
    parts = await loadWithEditor<SenderModule>("src/sending/transaction-sender.ts");
    signer = await loadWithEditor<SignerModule>("src/sending/signer.ts");
  });

  beforeEach(() => editor.reset());
  after(() => editor.reset());

  interface Given {
    readonly policy?: object;
    readonly isGuardedHere?: boolean;
    readonly isRealMoney?: boolean;
  }

  function servicesOf({ policy, isGuardedHere = true }: Given) {
    const seen = { keyUses: 0 };
    const keys = {
      isOutside: () => false,
      find: () => ({ address: SIGNER, label: "Alice", watchOnly: false, policy }),
      withPrivateKey: async <T>(_: unknown, use: (key: typeof KEY) => T | Promise<T>): Promise<T> => {
        seen.keyUses++;
        return await use(KEY);
      },
    };
    const requireGuard = async (): Promise<void> => {
      if (!isGuardedHere) throw new Error("guarded elsewhere");
    };
    return { seen, keys, requireGuard };
  }

  function signWith(given: Given = {}, review = REVIEW) {
    const { seen, keys, requireGuard } = servicesOf(given);
    const sender = new parts.TransactionSender({
      keys,
      chains: { isOfChain: () => false, prove: async () => undefined, isRealMoney: () => given.isRealMoney ?? false },
      guard: { pass: async () => true, require: requireGuard },
      transactions: { list: () => [] },
    } as unknown as SenderServices);
    const request = { digest: DIGEST, signer: SIGNER, isForThisChain: false, network: LOCAL, nameOf: () => undefined };
    return { seen, sign: () => sender.signMessage(request, review) };
  }

  it("are made after the dialog, and recover to the signer", async () => {
    editor.answer = "Sign";
    const { seen, sign } = signWith();

    const signature = await sign();

    assert.equal(recoverMessageSigner(DIGEST, parseMessageSignature(signature ?? "")), SIGNER);
    assert.deepEqual([seen.keyUses, editor.asked.map(({ buttons }) => buttons)], [1, [["Sign"]]]);
  });

  it("A2: are never made without the dialog for a program, also on the local chain", async () => {
    for (const answer of [undefined, "Do Not Sign"]) {
      editor.reset();
      editor.answer = answer;
      const { seen, sign } = signWith();

      assert.equal(await runFor({ message: "Let me in" }, sign), undefined);
      assert.deepEqual([seen.keyUses, editor.asked.map(({ buttons }) => buttons)], [0, [["Do Not Sign", "Sign"]]]);
    }
  });

  it("have a first button that does not sign, if a danger is named or money is real", async () => {
    for (const { sign } of [signWith({}, { ...REVIEW, isDoubtful: true }), signWith({ isRealMoney: true })]) {
      editor.reset();
      assert.equal(await sign(), undefined);
      assert.deepEqual(editor.asked[0]?.buttons, ["Do Not Sign", "Sign"]);
    }
  });

  it("are not made in Restricted Mode, and show no dialog there", async () => {
    editor.trusted = false;
    const { seen, sign } = signWith();

    await assert.rejects(sign(), code("WORKSPACE_NOT_TRUSTED"));

    assert.deepEqual([seen.keyUses, editor.asked.length], [0, 0]);
  });

  it("are not made while another host guards the account", async () => {
    editor.answer = "Sign";
    const { seen, sign } = signWith({ isGuardedHere: false });

    await assert.rejects(sign(), /guarded elsewhere/);
    assert.equal(seen.keyUses, 0);
  });

  it("need a consent to exactly these bytes", async () => {
    const { seen, keys, requireGuard } = servicesOf({});
    const services = { keys, requireGuard, network: LOCAL, prove: async () => undefined } as unknown as SigningServices;
    const other = { digest: messageDigest(Buffer.from("Let me out")) } as MessageConsent;
    const request = { digest: DIGEST, signer: SIGNER, isForThisChain: true };

    for (const consent of [undefined, other])
      await assert.rejects(signer.signMessageWithConsent(services, request, consent), code("MESSAGE_REFUSED"));

    assert.equal(seen.keyUses, 0);
  });

  it("follow the policy of the key: only for local chains, and a typed name above an amount", async () => {
    const { seen, keys, requireGuard } = servicesOf({ policy: { kind: "never-real" } });
    const services = { keys, requireGuard, network: LOCAL, prove: async () => undefined } as unknown as SigningServices;
    const sign = (digest: MessageDigest, isForThisChain: boolean) =>
      signer.signMessageWithConsent(services, { digest, signer: SIGNER, isForThisChain }, { digest } as MessageConsent);

    await assert.rejects(sign(DIGEST, false), code("KEY_POLICY_REFUSED"));
    assert.equal(seen.keyUses, 0);
    assert.ok(await sign(DIGEST, true));

    editor.answer = "Sign";
    editor.typed = "Bob";
    const limited = signWith({ policy: { kind: "retype-above", amount: "1000000" } });
    await assert.rejects(limited.sign(), code("KEY_POLICY_REFUSED"));
    editor.typed = "Alice";
    assert.ok(await limited.sign());
  });
});
