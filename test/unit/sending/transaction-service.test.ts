import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BroadcastAnswer } from "../../../packages/client/src/gateway/gateway.ts";
import { type KeyPolicy, policyToJson } from "../../../packages/client/src/keys/key-policy.ts";
import { ChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import { formatCoins } from "../../../packages/tron/src/format/amounts.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { type Hex, hexToBytes, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { builtFromIntent } from "../../../packages/tron/src/transaction/built-transaction.ts";
import {
  addressOfPrivateKey,
  generatePrivateKey,
  type PrivateKey,
} from "../../../packages/tron/src/transaction/signature.ts";
import {
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "../../../packages/tron/src/transaction/verify-against-intent.ts";
import { FakeClock, settled } from "../../support/fakes/fake-clock.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { FakeGateway } from "../../support/fakes/fake-gateway.ts";
import { bytesReferringTo, chainId } from "../../support/tracking/chain-places.ts";
import { HEAD_TIMESTAMP, TRANSFER, VALIDITY } from "../../support/tracking/intents.ts";
import { fakeBytes } from "../../support/tracking/journal-entries.ts";

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const code = (expected: string) => (error: unknown) => isChainError(error) && error.code === expected;

const REVIEW = { severity: "warning", title: "Send?", buttons: ["Sign", "Later"], sign: "Sign" } as const;

/** Returns a verified transfer of the owner of this key. */
function verifiedOf(key: PrivateKey): VerifiedTransaction {
  const intent = { ...TRANSFER, owner: addressOfPrivateKey(key) };
  const verified = verifyAgainstIntent(builtFromIntent(intent, VALIDITY), intent, { headTimestamp: HEAD_TIMESTAMP });
  assert.equal(verified.kind, "same");
  return verified as VerifiedTransaction;
}

type Signer = typeof import("../../../src/sending/signer.ts");

/** Returns signing services with one key, which count its uses. */
function servicesWith(key: PrivateKey, policy?: KeyPolicy, local = false) {
  const keys = {
    uses: 0,
    isOutside: () => false,
    find: (address: Address) => ({
      address,
      label: "Savings",
      watchOnly: false,
      ...(policy && { policy: policyToJson(policy) }),
    }),
    withPrivateKey: async <T>(_: unknown, use: (it: PrivateKey) => T | Promise<T>): Promise<T> => {
      keys.uses++;
      return await use(key);
    },
  };
  const outside = { sign: () => assert.fail("called the external signer") };
  const network = { name: "Bank", baseUrl: "https://gateway.example", local };
  const [requireGuard, prove] = [async (): Promise<void> => {}, async (): Promise<void> => {}];
  return { keys, network, outside, requireGuard, prove };
}

/** Returns a request with the owner as only signer. */
function ownerSigns({ intent }: VerifiedTransaction): Parameters<Signer["signWithConsent"]>[3] {
  const handOut = () => assert.fail("handed out bytes");
  return { signers: [intent.owner], before: [], review: undefined, validMs: 60_000, handOut };
}

describe("signWithConsent", () => {
  type Consents = typeof import("../../../src/sending/consent.ts");
  let signer: Signer;
  let consents: Consents;

  before(async () => {
    signer = await loadWithEditor<Signer>("src/sending/signer.ts");
    consents = await loadWithEditor<Consents>("src/sending/consent.ts");
  });

  beforeEach(() => editor.reset());

  it("signs with a consent", async () => {
    const key = generatePrivateKey();
    const verified = verifiedOf(key);

    const signed = await signer.signWithConsent(
      servicesWith(key),
      verified,
      consents.consentOfClick(verified.txId),
      ownerSigns(verified),
    );

    assert.equal(signed?.txId, verified.txId);
    assert.equal(signed?.signatures.length, 1);
  });

  it("H5: refuses in Restricted Mode before it reads a key", async () => {
    const key = generatePrivateKey();
    const [services, verified] = [servicesWith(key), verifiedOf(key)];
    editor.trusted = false;

    const signing = signer.signWithConsent(
      services,
      verified,
      consents.consentOfClick(verified.txId),
      ownerSigns(verified),
    );

    await assert.rejects(signing, code("WORKSPACE_NOT_TRUSTED"));
    assert.equal(services.keys.uses, 0);
  });

  it("H5: calls no external signer in Restricted Mode, without consent or without a review", async () => {
    const key = generatePrivateKey();
    const verified = verifiedOf(key);
    const own = consents.consentOfClick(verified.txId);
    const services = { ...servicesWith(key), keys: { ...servicesWith(key).keys, isOutside: () => true } };
    const shown = { ...ownerSigns(verified), review: { title: "Send?" } };

    editor.trusted = false;
    await assert.rejects(signer.signWithConsent(services, verified, own, shown), code("WORKSPACE_NOT_TRUSTED"));
    editor.trusted = true;
    const other = consents.consentOfClick(fakeBytes(1).txId);
    await assert.rejects(signer.signWithConsent(services, verified, other, shown), code("CONSENT_MISSING"));
    await assert.rejects(
      signer.signWithConsent(services, verified, own, ownerSigns(verified)),
      code("CONSENT_MISSING"),
    );
  });

  it("H5: refuses a missing consent and one for another transaction", async () => {
    const key = generatePrivateKey();
    const [services, verified] = [servicesWith(key), verifiedOf(key)];
    const other = consents.consentOfClick(fakeBytes(1).txId);

    await assert.rejects(
      signer.signWithConsent(services, verified, other, ownerSigns(verified)),
      code("CONSENT_MISSING"),
    );
    await assert.rejects(
      signer.signWithConsent(services, verified, undefined as never, ownerSigns(verified)),
      code("CONSENT_MISSING"),
    );
    assert.equal(services.keys.uses, 0);
  });

  it("L10: rejects a signature of another account than the owner", async () => {
    const verified = verifiedOf(generatePrivateKey());
    const foreign = servicesWith(generatePrivateKey());

    const signing = signer.signWithConsent(
      foreign,
      verified,
      consents.consentOfClick(verified.txId),
      ownerSigns(verified),
    );

    await assert.rejects(signing, code("SIGNATURE_FOREIGN"));
  });

  const policyCases = [
    ["does not read a key that may never sign on real networks", { kind: "never-real" }],
    ["does not read a key with a limit when the amount is not retyped", { kind: "retype-above", amount: sun(0n) }],
  ] as const;
  for (const [title, policy] of policyCases) {
    it(title, async () => {
      const key = generatePrivateKey();
      const [services, verified] = [servicesWith(key, policy), verifiedOf(key)];
      const consent = consents.consentOfClick(verified.txId);
      editor.typed = "1";

      const signing = signer.signWithConsent(services, verified, consent, ownerSigns(verified));
      await assert.rejects(signing, code("KEY_POLICY_REFUSED"));
      const keys = { ...services.keys, isOutside: () => true };
      const outside = { ...ownerSigns(verified), review: { title: "Send?" } };
      const asking = signer.signWithConsent({ ...services, keys }, verified, consent, outside);
      await assert.rejects(asking, code("KEY_POLICY_REFUSED"));
      assert.equal(services.keys.uses, 0);
    });
  }

  it("signs after the amount above the key's limit was retyped, and below it at once", async () => {
    const key = generatePrivateKey();
    const verified = verifiedOf(key);
    const consent = consents.consentOfClick(verified.txId);
    const limit = (amount: bigint) => servicesWith(key, { kind: "retype-above", amount: sun(amount) });

    await signer.signWithConsent(limit(TRANSFER.amount), verified, consent, ownerSigns(verified));
    assert.deepEqual(editor.prompts, []);
    editor.typed = formatCoins(TRANSFER.amount);
    await signer.signWithConsent(limit(TRANSFER.amount - 1n), verified, consent, ownerSigns(verified));

    assert.equal(editor.prompts.length, 1);
    assert.match(editor.prompts[0] ?? "", new RegExp(`Type ${editor.typed} to sign`));
  });

  it("signs with a key for local chains only after the chain's proof", async () => {
    const key = generatePrivateKey();
    const verified = verifiedOf(key);
    const consent = consents.consentOfClick(verified.txId);
    const services = servicesWith(key, { kind: "never-real" }, true);
    const unproven = async (): Promise<void> => {
      throw new ChainError("LOCAL_CHAIN_UNPROVEN", { baseUrl: "http://127.0.0.1:1" });
    };

    await signer.signWithConsent(services, verified, consent, ownerSigns(verified));
    const signing = signer.signWithConsent({ ...services, prove: unproven }, verified, consent, ownerSigns(verified));

    await assert.rejects(signing, code("LOCAL_CHAIN_UNPROVEN"));
    assert.equal(services.keys.uses, 1);
  });

  it("gives consent only for the signing button", async () => {
    const { txId } = fakeBytes(1);
    const review = { ...REVIEW, isRealMoney: false };

    for (const answer of ["Sign", "Later", undefined]) {
      editor.answer = answer;
      const { chosen, consent } = await consents.askForConsent(txId, review);
      assert.deepEqual([chosen, consent?.txId], [answer, answer === "Sign" ? txId : undefined]);
    }
  });

  it("L12: shows a cancel button first for real money", async () => {
    const { txId } = fakeBytes(1);
    editor.answer = "Do Not Send";

    const real = await consents.askForConsent(txId, { ...REVIEW, isRealMoney: true });
    assert.deepEqual(real, { chosen: undefined, consent: undefined });
    assert.deepEqual(editor.asked.at(-1)?.buttons, ["Do Not Send", "Sign", "Later"]);
    await consents.askForConsent(txId, { ...REVIEW, isRealMoney: false });
    assert.deepEqual(editor.asked.at(-1)?.buttons, ["Sign", "Later"]);
    await consents.askForConsent(txId, { ...REVIEW, buttons: ["Set Fee Limit", "Sign"], isRealMoney: true });
    assert.deepEqual(editor.asked.at(-1)?.buttons, ["Set Fee Limit", "Sign"]);
  });

  it("H8: gives no consent for a local chain without proof", async () => {
    const unproven = async (): Promise<void> => {
      throw new Error("another chain answers");
    };

    await assert.rejects(consents.consentOfLocalChain(fakeBytes(1).txId, unproven), /another chain/);
  });
});

describe("TransactionService", () => {
  type Sending = typeof import("../../../src/sending/transaction-service.ts");
  type Consents = typeof import("../../../src/sending/consent.ts");
  let folder: string;
  let parts: Sending & Consents;
  const opened: InstanceType<Sending["TransactionService"]>[] = [];

  before(async () => {
    const [sending, consents] = await Promise.all([
      loadWithEditor<Sending>("src/sending/transaction-service.ts"),
      loadWithEditor<Consents>("src/sending/consent.ts"),
    ]);
    parts = { ...sending, ...consents };
  });

  beforeEach(async () => {
    editor.reset();
    folder = await mkdtemp(join(tmpdir(), "finality-doors-"));
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((it) => it.close()));
    await rm(folder, { recursive: true });
  });

  const context = { network: "test", intent: TRANSFER, expiration: 1_767_225_660_000, solidHeight: 0 };
  const bytes = fakeBytes(1);
  const signed = { ...bytes, signatures: ["ab" as Hex] };
  const broadcasts = (gateway: FakeGateway) => gateway.requests.filter((it) => it.startsWith("broadcast")).length;

  function open(second?: FakeGateway): {
    transactions: InstanceType<Sending["TransactionService"]>;
    gateway: FakeGateway;
  } {
    const gateway = new FakeGateway();
    gateway.mineEmpty(3);
    const gatewayFor = async (name: string) => (name === "second" && second !== undefined ? second : gateway);
    const options = { folder, gatewayFor, clock: new FakeClock(), log: silent };
    const transactions = new parts.TransactionService(options);
    opened.push(transactions);
    return { transactions, gateway };
  }

  it("H5: neither writes nor broadcasts in Restricted Mode", async () => {
    const { transactions, gateway } = open();
    const consent = parts.consentOfClick(bytes.txId);
    editor.trusted = false;

    await assert.rejects(transactions.submit(signed, context, consent), code("WORKSPACE_NOT_TRUSTED"));
    await transactions.ready();
    assert.equal(transactions.list().length, 0);
    editor.trusted = true;
    await transactions.submit(signed, context, consent);
    editor.trusted = false;
    await assert.rejects(transactions.resend(consent), code("WORKSPACE_NOT_TRUSTED"));

    assert.equal(broadcasts(gateway), 1);
  });

  it("H1: resends a refused payment beside an equal one on another chain, but not on the same chain", async () => {
    const second = new FakeGateway();
    second.mineEmpty(1);
    second.reorganise(1);
    second.mineEmpty(3);
    const { transactions, gateway } = open(second);
    const hexes = [bytesReferringTo(gateway.head.id), bytesReferringTo(second.head.id)];
    const [own, elsewhere, duplicate] = [...hexes, bytesReferringTo(gateway.head.id, 1_767_225_660_001)].map(
      (rawDataHex) => {
        return {
          txId: transactionId(hexToBytes(rawDataHex ?? "")),
          rawDataHex: rawDataHex as Hex,
          signatures: ["ab" as Hex],
        };
      },
    );
    assert.ok(own && elsewhere && duplicate);
    const send = async (it: typeof own, place: object, acknowledged: readonly TxId[]) =>
      await transactions.submit(it, { ...context, ...place, acknowledged }, parts.consentOfClick(it.txId));
    const place = { network: "first", chain: chainId("a") };
    const busy = { kind: "rejected", code: "SERVER_BUSY", message: "busy" } as const;
    gateway.answerBroadcast(busy, busy);
    await send(own, place, []);
    await send(elsewhere, { network: "second", chain: chainId("b") }, [own.txId]);

    assert.equal((await transactions.resend(parts.consentOfClick(own.txId))).attempts.length, 2);

    await send(duplicate, { network: "second", chain: chainId("b") }, [own.txId, elsewhere.txId]);
    await assert.rejects(transactions.resend(parts.consentOfClick(own.txId)), code("RESEND_REFUSED"));
    assert.equal(broadcasts(gateway), 2);
  });

  it("P4: stores a pending answer before it closes, and writes nothing afterwards", async () => {
    const { transactions, gateway } = open();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: answer, resolve: accept } = Promise.withResolvers<BroadcastAnswer>();
    gateway.broadcast = () => {
      ask();
      return answer;
    };
    const sending = transactions.submit(signed, context, parts.consentOfClick(bytes.txId));
    await asked;
    let isClosed = false;

    const closing = transactions.close().then(() => (isClosed = true));
    await settled();
    assert.equal(isClosed, false);
    accept({ endpoint: "x", outcome: { kind: "accepted" } });
    await Promise.all([sending, closing]);

    assert.match(await readFile(join(folder, "journal.jsonl"), "utf8"), /"broadcast-answered".*"accepted"/);
    await rm(folder, { recursive: true });
    await settled();
    assert.equal(existsSync(folder), false);
    await mkdir(folder);
  });

  it("H5: refuses to broadcast without consent", async () => {
    const { transactions, gateway } = open();
    const other = parts.consentOfClick(fakeBytes(2).txId);

    await assert.rejects(transactions.submit(signed, context, other), code("CONSENT_MISSING"));
    await assert.rejects(transactions.submit(signed, context, undefined as never), code("CONSENT_MISSING"));

    assert.equal(broadcasts(gateway), 0);
  });
});
