import assert from "node:assert/strict";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import type { Duplicates, IntendedTransaction } from "../../../packages/client/src/retry/conflicting-transactions.ts";
import { ChainError, isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import type { Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import { builtFromIntent, type SignedTransaction } from "../../../packages/tron/src/transaction/built-transaction.ts";
import {
  addressOfPrivateKey,
  generatePrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import {
  type VerifiedTransaction,
  verifyAgainstIntent,
} from "../../../packages/tron/src/transaction/verify-against-intent.ts";
import type { ExternalSigner, SigningRequest } from "../../../src/host/external-signer/external-signer.ts";
import type { Review } from "../../../src/sending/consent.ts";
import type {
  ChainRules,
  Draft,
  SendRequest,
  SigningChoice,
  TransactionKind,
} from "../../../src/sending/transaction-kind.ts";
import type { SenderServices } from "../../../src/sending/transaction-sender.ts";
import { FakeClock, settled } from "../../support/fakes/fake-clock.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { profileAt } from "../../support/fakes/gateway-fixtures.ts";
import { HEAD_TIMESTAMP, TRANSFER, VALIDITY } from "../../support/tracking/intents.ts";
import { fakeBytes } from "../../support/tracking/journal-entries.ts";
import { ownKeySigns, tracked } from "../../support/tracking/tracked.ts";

type SenderModule = typeof import("../../../src/sending/transaction-sender.ts");
type FakeKind = TransactionKind<SendRequest, object, SigningChoice, Draft>;
const code = (expected: string) => (error: unknown) => isChainError(error) && error.code === expected;
const localNetwork: NetworkProfile = { ...profileAt("http://127.0.0.1:9471"), local: true };
const open = { pass: async () => true, require: async () => {} };
const REVIEW = {
  severity: "information",
  isRealMoney: false,
  title: "Send 1.5 coins?",
  buttons: ["Sign"],
  sign: "Sign",
} as const;

describe("TransactionSender", () => {
  let parts: SenderModule;
  const key = generatePrivateKey();
  const intent = { ...TRANSFER, owner: addressOfPrivateKey(key) };
  const verified = verifyAgainstIntent(builtFromIntent(intent, VALIDITY), intent, {
    headTimestamp: HEAD_TIMESTAMP,
  }) as VerifiedTransaction;

  before(async () => {
    parts = await loadWithEditor<SenderModule>("src/sending/transaction-sender.ts");
  });

  beforeEach(() => editor.reset());

  /** Creates a sender with services that record their calls. */
  function senderWith(
    rule: Partial<ChainRules> & {
      readonly findDuplicates?: (intended: IntendedTransaction) => Duplicates;
      readonly requireReadable?: () => void;
    },
    known: readonly object[] = [],
    guard = open,
    external?: { readonly address: Address; readonly sign: ExternalSigner["sign"] },
  ) {
    const seen = {
      stored: [] as unknown[],
      signatures: [] as readonly Hex[],
      drafts: 0,
      keyUses: 0,
      submitted: 0,
      proofs: 0,
      duplicateQueries: [] as IntendedTransaction[],
      contexts: [] as unknown[],
    };
    const clock = new FakeClock();
    const keys = {
      isOutside: (it: unknown) => external?.address === it,
      withPrivateKey: async <T>(_: unknown, use: (it: typeof key) => T | Promise<T>): Promise<T> => {
        seen.keyUses++;
        return await use(key);
      },
    };
    const transactions = {
      requireReadable: async () => rule.requireReadable?.(),
      list: () => known,
      findDuplicates: async (intended: IntendedTransaction): Promise<Duplicates> => {
        seen.duplicateQueries.push(intended);
        return rule.findDuplicates?.(intended) ?? { conflicting: [], onOtherChains: [] };
      },
      get: (txId: string) => known.find((it) => "txId" in it && it.txId === txId),
      keep: async (signed: SignedTransaction, context: unknown) => {
        seen.stored.push({ ...signed, ...(context as object) });
        return signed;
      },
      submit: async ({ txId, signatures }: SignedTransaction, context: unknown) => {
        seen.signatures = signatures;
        seen.submitted++;
        seen.contexts.push(context);
        return { txId, state: { kind: "pending" } };
      },
    };
    const prove = async (): Promise<void> => {
      seen.proofs++;
      await rule.prove?.();
    };
    const chains: ChainRules = {
      isOfChain: rule.isOfChain ?? (() => false),
      prove,
      isRealMoney: rule.isRealMoney ?? (() => false),
      networkRefOf: rule.networkRefOf ?? (async ({ name }) => ({ network: name })),
    };
    const sender = new parts.TransactionSender({
      keys: { ...keys, find: () => undefined },
      transactions,
      chains,
      guard,
      clock,
      outside: {
        sign: (request: SigningRequest) =>
          external === undefined ? assert.fail("no external signer") : external.sign(request),
      },
    } as unknown as SenderServices);
    const request: SendRequest = {
      network: localNetwork,
      gateway: {} as never,
      intent,
      nameOf: () => undefined,
      unattended: true,
    };
    const kind: FakeKind = {
      progress: () => "Building",
      read: async () => ({}),
      plan: async (context) => ({ ...ownKeySigns(intent), intent: context.request.intent }),
      build: async (_context, _state, plan) => {
        seen.drafts++;
        return { plan, verified, solidHeight: 1, lifetimeMs: 60_000 };
      },
      review: () => REVIEW,
    };
    const send = ({ steps, ...change }: Partial<SendRequest> & { readonly steps?: Partial<FakeKind> } = {}) =>
      sender.send({ ...kind, ...steps }, { ...request, ...change });
    return { seen, clock, send };
  }

  /** Returns a plan with these signers. */
  const signedBy = (...signers: readonly Address[]): Partial<FakeKind> => ({
    plan: async ({ request }) => ({ ...ownKeySigns(intent), signers, intent: request.intent }),
  });

  it("T3: checks for executed transactions since the reference block of imported bytes before signing", async () => {
    const delivery = { coSigning: () => assert.fail(), deliver: async () => assert.fail() };
    const executed = tracked({ txId: fakeBytes(7).txId, network: "local chain" });
    const { seen, send } = senderWith({
      findDuplicates: ({ since }) => ({
        conflicting: since?.height === 1 ? [{ tracked: executed, relation: "same" }] : [],
        onOtherChains: [],
      }),
    });

    await assert.rejects(send({ txId: verified.txId, steps: { delivery } }), code("EQUAL_TRANSACTION_ALIVE"));

    assert.deepEqual([seen.keyUses, seen.stored], [0, []]);
    assert.deepEqual(
      seen.duplicateQueries.map(({ since }) => since?.height),
      [undefined, 1],
    );
  });

  it("H1: neither builds nor signs when the URL serves another chain than before", async () => {
    const changed = new ChainError("CHAIN_CHANGED", { url: "https://one.test", before: "a", now: "b" });
    const { seen, send } = senderWith({ networkRefOf: () => Promise.reject(changed) });

    await assert.rejects(send(), { code: "CHAIN_CHANGED" });

    assert.deepEqual([seen.drafts, seen.keyUses, seen.submitted, editor.asked.length], [0, 0, 0, 0]);
  });

  it("A2: reviews as real money when the chain is of real money, against the network's settings", async () => {
    const reviewed: boolean[] = [];
    for (const isReal of [false, true]) {
      const { send } = senderWith({ isRealMoney: () => isReal });
      const review = ({ request }: { readonly request: SendRequest }): Review => {
        reviewed.push(request.network.production);
        return REVIEW;
      };
      await send({ network: { ...localNetwork, name: "t", local: false, production: false }, steps: { review } });
    }

    assert.deepEqual(reviewed, [false, true]);
  });

  it("shows no dialog when the journal cannot be read in full", async () => {
    const newer = new ChainError("JOURNAL_NEWER", { file: "journal.jsonl", lines: 2, written: false });
    const requireReadable = () => {
      throw newer;
    };
    const { seen, send } = senderWith({ requireReadable });

    await assert.rejects(send({ unattended: false }), newer);

    assert.deepEqual([seen.duplicateQueries.length, seen.drafts, editor.asked.length], [0, 0, 0]);
  });

  it("H1: checks for conflicting payments before building, and again with the bytes before the review", async () => {
    const onOtherChains = [fakeBytes(5).txId];
    const { seen, send } = senderWith({
      isOfChain: () => true,
      findDuplicates: () => ({ conflicting: [], onOtherChains }),
    });

    await send();

    const { rawDataHex } = verified;
    assert.deepEqual(
      seen.duplicateQueries.map((it) => [it.rawDataHex, it.acknowledged]),
      [
        [undefined, []],
        [rawDataHex, []],
      ],
    );
    assert.deepEqual(
      seen.contexts.map((it) => (it as IntendedTransaction).acknowledged),
      [onOtherChains],
    );
  });

  it("H1: stops after building when the other network has the reference block or cannot be verified", async () => {
    for (const relation of ["same", "unknown"] as const) {
      const duplicate = { tracked: tracked({ network: "Nile" }), relation };
      const findDuplicates = ({ rawDataHex }: IntendedTransaction): Duplicates => {
        return rawDataHex === undefined
          ? { conflicting: [], onOtherChains: [duplicate.tracked.txId] }
          : { conflicting: [duplicate], onOtherChains: [] };
      };
      const { seen, send } = senderWith({ isOfChain: () => true, findDuplicates });

      const { txId } = duplicate.tracked;
      const unverified = relation === "unknown" ? { unverified: "Nile" } : {};
      await assert.rejects(send(), {
        code: "EQUAL_TRANSACTION_ALIVE",
        details: { txId, state: "signed", ...unverified },
        message: relation === "same" ? /Watch it/ : /signed for Nile\. .* could not verify .*Try again/,
      });

      assert.deepEqual([seen.drafts, seen.keyUses, seen.submitted], [1, 0, 0]);
    }
  });

  it("sends without review from a local chain account, and proves the chain each time", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });

    await send();
    await send();

    assert.deepEqual([seen.submitted, seen.proofs, editor.asked.length], [2, 2, 0]);
  });

  it("H8: reviews before signing with the user's key on the local chain", async () => {
    const { seen, send } = senderWith({ isOfChain: () => false });

    assert.equal(await send(), undefined);

    assert.deepEqual([seen.keyUses, seen.submitted], [0, 0]);
    assert.deepEqual(editor.asked, [{ title: REVIEW.title, buttons: ["Sign"] }]);
    editor.answer = "Sign";
    await send();
    assert.deepEqual([seen.keyUses, seen.submitted], [1, 1]);
  });

  it("signs nothing if the check after the consent refuses, such as that of an upgrade", async () => {
    const { seen, send } = senderWith({});
    editor.answer = "Sign";
    const changed = new ChainError("UPGRADE_REFUSED", { reason: "the implementation changed" });
    const beforeSigning = async (): Promise<void> => {
      assert.equal(editor.asked.length, 1);
      throw changed;
    };

    await assert.rejects(send({ beforeSigning }), changed);

    assert.deepEqual([seen.keyUses, seen.stored, seen.submitted], [0, [], 0]);
    await send({ beforeSigning: async () => undefined });
    assert.equal(seen.submitted, 1);
  });

  it("H8: reviews before the user's key signs for a local chain account", async () => {
    const { seen, send } = senderWith({ isOfChain: (it) => it === intent.owner });
    assert.equal(await send({ steps: signedBy(intent.owner, TRANSFER.to) }), undefined);

    assert.deepEqual([editor.asked.length, seen.keyUses, seen.submitted, seen.proofs], [1, 0, 0, 0]);
  });

  it("L10: submits nothing when a signature is not from the reviewed key", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });
    await assert.rejects(send({ steps: signedBy(TRANSFER.to) }), code("SIGNATURE_FOREIGN"));

    assert.equal(seen.submitted, 0);
  });

  it("neither signs nor submits when the user cancels while it builds", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });

    assert.equal(await send({ steps: { plan: async () => undefined } }), undefined);

    assert.deepEqual([seen.keyUses, seen.submitted], [0, 0]);
  });

  it("reads and builds again for the permission that the user chose", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });
    const read: (number | undefined)[] = [];
    const built: (number | undefined)[] = [];

    await send({
      steps: {
        read: async ({ request }) => {
          read.push(request.intent.permissionId);
          return {};
        },
        plan: async ({ request }) => ({
          ...ownKeySigns(intent),
          intent: request.intent.permissionId === 2 ? request.intent : { ...request.intent, permissionId: 2 },
        }),
        build: async ({ request }, _state, plan) => {
          built.push(request.intent.permissionId);
          return { plan, verified, solidHeight: 1, lifetimeMs: 60_000 };
        },
      },
    });

    assert.deepEqual([read, built, seen.submitted], [[undefined, 2], [2], 1]);
  });

  it("prompts for the keys while no progress is shown", async () => {
    const { send } = senderWith({ isOfChain: () => true });
    const running: number[] = [];

    await send({
      steps: {
        plan: async ({ request }) => {
          await settled();
          running.push(editor.running);
          return { ...ownKeySigns(intent), intent: request.intent };
        },
      },
    });

    assert.deepEqual(running, [0]);
  });

  it("checks requests of programs before the review, and skips the check for users", async () => {
    const check = (): never => {
      throw new ChainError("CALL_WOULD_FAIL", { reason: "it would fail" });
    };
    const { seen, send } = senderWith({});

    await assert.rejects(send({ steps: { check } }), code("CALL_WOULD_FAIL"));
    assert.equal(editor.asked.length, 0);
    await send({ unattended: false, steps: { check } });
    assert.deepEqual([editor.asked.length, seen.submitted], [1, 0]);
  });

  it("restarts with the request that a review button changed", async () => {
    const { seen, send } = senderWith({});
    editor.answer = "Change";
    const labels: (string | undefined)[] = [];

    await send({
      steps: {
        review: ({ request }) => {
          labels.push(request.label);
          if (request.label === "changed") editor.answer = "Sign";
          return { ...REVIEW, buttons: ["Sign", "Change"] };
        },
        revise: async ({ request }) => ({ ...request, label: "changed" }),
      },
    });

    assert.deepEqual([labels, seen.drafts, seen.keyUses, seen.submitted], [[undefined, "changed"], 2, 1, 1]);
  });

  it("H8: does not sign when the local chain's proof fails", async () => {
    const gone = async (): Promise<void> => {
      throw new Error("another chain answers");
    };
    const { seen, send } = senderWith({ isOfChain: () => true, prove: gone });

    await assert.rejects(send(), /another chain/);

    assert.deepEqual([seen.keyUses, seen.submitted], [0, 0]);
  });

  it("H8: reviews on every other network, for every account", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });

    assert.equal(await send({ network: profileAt("http://127.0.0.1:9471") }), undefined);

    assert.deepEqual([seen.keyUses, editor.asked.length], [0, 1]);
  });

  it("L9: rejects bytes of an earlier transaction without a prompt", async () => {
    const { txId } = verified;
    const { seen, send } = senderWith({ isOfChain: () => true }, [{ txId, state: { kind: "solidified" } }]);

    await assert.rejects(send(), code("TRANSACTION_KNOWN"));
    await assert.rejects(
      send({ unattended: false, replaces: txId, acknowledgeUnknown: [txId] }),
      code("TRANSACTION_KNOWN"),
    );

    assert.deepEqual([seen.keyUses, seen.submitted, editor.asked.length], [0, 0, 0]);
  });

  it("M4: neither builds nor signs for an account that another journal guards", async () => {
    const elsewhere = { pass: async () => false, require: async () => assert.fail("continued") };
    const { seen, send } = senderWith({}, [], elsewhere);

    assert.equal(await send({ network: profileAt("http://127.0.0.1:9471") }), undefined);

    assert.deepEqual([seen.drafts, seen.keyUses], [0, 0]);
  });

  it("M4: skips the guard for a local chain account", async () => {
    const never = { pass: async () => assert.fail("asked"), require: async () => assert.fail("asked") };
    const { seen, send } = senderWith({ isOfChain: () => true }, [], never);

    await send();

    assert.equal(seen.submitted, 1);
  });

  it("M4: does not sign when the guard moved during the review", async () => {
    const moved = {
      pass: async () => true,
      require: async () => {
        throw new Error("guarded elsewhere");
      },
    };
    const { seen, send } = senderWith({}, [], moved);
    editor.answer = "Sign";

    await assert.rejects(send(), /guarded elsewhere/);

    assert.deepEqual([seen.keyUses, seen.submitted], [0, 0]);
  });

  it("H5: builds and signs nothing in Restricted Mode", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });
    editor.trusted = false;

    await assert.rejects(send(), code("WORKSPACE_NOT_TRUSTED"));

    assert.deepEqual([seen.drafts, seen.keyUses, seen.submitted], [0, 0, 0]);
  });

  describe("with an external signer", () => {
    const { txId, rawDataHex } = verified;
    const approve: ExternalSigner["sign"] = async (request) => {
      await request.handOut();
      return signTransactionId(request.txId, key);
    };
    const withExternal = (sign: ExternalSigner["sign"]) => senderWith({}, [], open, { address: intent.owner, sign });

    beforeEach(() => {
      editor.answer = "Sign";
    });

    it("passes the reviewed bytes and texts to the signer, and submits its signature", async () => {
      const requests: SigningRequest[] = [];
      const { seen, send, clock } = withExternal(async (request) => {
        requests.push(request);
        return await approve(request);
      });
      const review = async (): Promise<Review> => {
        await clock.advance(20_000);
        return REVIEW;
      };

      await send({ steps: { review } });

      const [request] = requests;
      assert.deepEqual(
        [request?.txId, request?.rawDataHex, request?.signer, request?.owner, request?.permissionId],
        [txId, rawDataHex, intent.owner, intent.owner, 0],
      );
      assert.deepEqual([request?.review.title, request?.validMs], [REVIEW.title, 40_000]);
      assert.deepEqual([seen.keyUses, seen.submitted, seen.signatures], [0, 1, [signTransactionId(txId, key)]]);
    });

    it("stores the bytes before it hands them out, and only on request", async () => {
      const steps: number[] = [];
      const { seen, send } = withExternal(async (request) => {
        steps.push(seen.stored.length);
        await request.handOut();
        steps.push(seen.stored.length);
        return undefined;
      });

      assert.equal(await send(), undefined);

      assert.deepEqual([steps, seen.submitted], [[0, 1], 0]);
      const [stored] = seen.stored as readonly (SignedTransaction & { readonly renews: boolean })[];
      assert.deepEqual([stored?.txId, stored?.signatures, stored?.renews], [txId, [], false]);
    });

    it("calls no external signer without the user's consent", async () => {
      editor.answer = undefined;
      const { send } = withExternal(() => assert.fail("asked"));

      assert.equal(await send({ unattended: true }), undefined);
      assert.equal(editor.asked.length, 1);
    });

    it("rejects signatures of another key or of other bytes", async () => {
      const others: readonly ExternalSigner["sign"][] = [
        async () => signTransactionId(txId, generatePrivateKey()),
        async () => signTransactionId(fakeBytes(7).txId, key),
      ];
      for (const sign of others) {
        const { seen, send } = withExternal(sign);
        await assert.rejects(send(), code("SIGNATURE_FOREIGN"));
        assert.equal(seen.submitted, 0);
      }
    });

    it("hands out nothing when the guard moved during the review", async () => {
      let calls = 0;
      const require = async (): Promise<void> => {
        if (++calls > 1) throw new Error("guarded elsewhere");
      };
      const guard = { pass: async () => true, require };
      const { seen, send } = senderWith({}, [], guard, { address: intent.owner, sign: approve });

      await assert.rejects(send({ network: profileAt("https://one.test") }), /guarded elsewhere/);

      assert.deepEqual([seen.stored.length, seen.submitted], [0, 0]);
    });

    it("combines its signature with that of a local key, which it never receives", async () => {
      const second = generatePrivateKey();
      const address = addressOfPrivateKey(second);
      let received: SigningRequest | undefined;
      const sign: ExternalSigner["sign"] = async (request) => {
        received = request;
        return signTransactionId(request.txId, second);
      };
      const { seen, send } = senderWith({}, [], open, { address, sign });
      await send({ steps: signedBy(intent.owner, address) });

      assert.deepEqual(
        [received?.signer, received?.owner, JSON.stringify(received).includes(seen.signatures[0] ?? "?")],
        [address, intent.owner, false],
      );
      assert.deepEqual(seen.signatures, [signTransactionId(txId, key), signTransactionId(txId, second)]);
    });

    it("rejects a conflicting payment while it waits for the signature", async () => {
      const gate = Promise.withResolvers<undefined>();
      const { send } = withExternal(() => gate.promise);
      const first = send();
      await settled();

      await assert.rejects(send(), code("EQUAL_TRANSACTION_ALIVE"));

      gate.resolve(undefined);
      assert.equal(await first, undefined);
    });
  });
});
