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
const code = (wanted: string) => (error: unknown) => isChainError(error) && error.code === wanted;
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

  /** A sender whose transaction service notes what it was handed. */
  function senderWith(
    rule: Partial<ChainRules> & {
      readonly findDuplicates?: (intended: IntendedTransaction) => Duplicates;
      readonly requireReadable?: () => void;
    },
    known: readonly object[] = [],
    guard = open,
    outside?: { readonly address: Address; readonly sign: ExternalSigner["sign"] },
  ) {
    const seen = {
      kept: [] as unknown[],
      signatures: [] as readonly Hex[],
      drafts: 0,
      lent: 0,
      handed: 0,
      proofs: 0,
      asked: [] as IntendedTransaction[],
      reported: [] as unknown[],
    };
    const clock = new FakeClock();
    const keys = {
      isOutside: (it: unknown) => outside?.address === it,
      withPrivateKey: async <T>(_: unknown, use: (it: typeof key) => T | Promise<T>): Promise<T> => {
        seen.lent++;
        return await use(key);
      },
    };
    const transactions = {
      requireReadable: async () => rule.requireReadable?.(),
      list: () => known,
      findDuplicates: async (intended: IntendedTransaction): Promise<Duplicates> => {
        seen.asked.push(intended);
        return rule.findDuplicates?.(intended) ?? { conflicting: [], onOtherChains: [] };
      },
      get: (txId: string) => known.find((it) => "txId" in it && it.txId === txId),
      keep: async (signed: SignedTransaction, context: unknown) => {
        seen.kept.push({ ...signed, ...(context as object) });
        return signed;
      },
      submit: async ({ txId, signatures }: SignedTransaction, context: unknown) => {
        seen.signatures = signatures;
        seen.handed++;
        seen.reported.push(context);
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
      placeOn: rule.placeOn ?? (async ({ name }) => ({ network: name })),
    };
    const sender = new parts.TransactionSender({
      keys: { ...keys, find: () => undefined },
      transactions,
      chains,
      guard,
      clock,
      outside: {
        sign: (request: SigningRequest) =>
          outside === undefined ? assert.fail("no external signer") : outside.sign(request),
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

  /** A plan by which these accounts sign. */
  const signedBy = (...signers: readonly Address[]): Partial<FakeKind> => ({
    plan: async ({ request }) => ({ ...ownKeySigns(intent), signers, intent: request.intent }),
  });

  it("T3: looks for what was executed after the reference block of bytes from elsewhere, before it signs", async () => {
    const delivery = { coSigning: () => assert.fail(), deliver: async () => assert.fail() };
    const executed = tracked({ txId: fakeBytes(7).txId, network: "local chain" });
    const { seen, send } = senderWith({
      findDuplicates: ({ since }) => ({
        conflicting: since?.height === 1 ? [{ tracked: executed, relation: "same" }] : [],
        onOtherChains: [],
      }),
    });

    await assert.rejects(send({ txId: verified.txId, steps: { delivery } }), code("EQUAL_TRANSACTION_ALIVE"));

    assert.deepEqual([seen.lent, seen.kept], [0, []]);
    assert.deepEqual(
      seen.asked.map(({ since }) => since?.height),
      [undefined, 1],
    );
  });

  it("H1: builds and signs nothing for a URL that is another chain than before", async () => {
    const changed = new ChainError("CHAIN_CHANGED", { url: "https://one.test", before: "a", now: "b" });
    const { seen, send } = senderWith({ placeOn: () => Promise.reject(changed) });

    await assert.rejects(send(), { code: "CHAIN_CHANGED" });

    assert.deepEqual([seen.drafts, seen.lent, seen.handed, editor.asked.length], [0, 0, 0, 0]);
  });

  it("A2: says of a network whose chain is of real money that it is, whatever its record says", async () => {
    const known: boolean[] = [];
    for (const isReal of [false, true]) {
      const { send } = senderWith({ isRealMoney: () => isReal });
      const review = ({ request }: { readonly request: SendRequest }): Review => {
        known.push(request.network.production);
        return REVIEW;
      };
      await send({ network: { ...localNetwork, name: "t", local: false, production: false }, steps: { review } });
    }

    assert.deepEqual(known, [false, true]);
  });

  it("shows no dialog for a journal that cannot be read in full", async () => {
    const newer = new ChainError("JOURNAL_NEWER", { file: "journal.jsonl", lines: 2, written: false });
    const requireReadable = () => {
      throw newer;
    };
    const { seen, send } = senderWith({ requireReadable });

    await assert.rejects(send({ unattended: false }), newer);

    assert.deepEqual([seen.asked.length, seen.drafts, editor.asked.length], [0, 0, 0]);
  });

  it("H1: asks about equal payments of other networks before it builds, and once more with the bytes, before anybody is asked to sign", async () => {
    const apart = [fakeBytes(5).txId];
    const { seen, send } = senderWith({
      isOfChain: () => true,
      findDuplicates: () => ({ conflicting: [], onOtherChains: apart }),
    });

    await send();

    const { rawDataHex } = verified;
    assert.deepEqual(
      seen.asked.map((it) => [it.rawDataHex, it.acknowledged]),
      [
        [undefined, []],
        [rawDataHex, []],
      ],
    );
    assert.deepEqual(
      seen.reported.map((it) => (it as IntendedTransaction).acknowledged),
      [apart],
    );
  });

  it("H1: stops with the bytes in hand when the network of an equal payment holds their reference block, or cannot say", async () => {
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

      assert.deepEqual([seen.drafts, seen.lent, seen.handed], [1, 0, 0]);
    }
  });

  it("sends unasked from an account of the local chain, which proves itself each time", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });

    await send();
    await send();

    assert.deepEqual([seen.handed, seen.proofs, editor.asked.length], [2, 2, 0]);
  });

  it("H8: asks before it signs with a key of the person, on the local chain too", async () => {
    const { seen, send } = senderWith({ isOfChain: () => false });

    assert.equal(await send(), undefined);

    assert.deepEqual([seen.lent, seen.handed], [0, 0]);
    assert.deepEqual(editor.asked, [{ title: REVIEW.title, buttons: ["Sign"] }]);
    editor.answer = "Sign";
    await send();
    assert.deepEqual([seen.lent, seen.handed], [1, 1]);
  });

  it("H8: asks before a key of the person signs for an account of the local chain", async () => {
    const { seen, send } = senderWith({ isOfChain: (it) => it === intent.owner });
    assert.equal(await send({ steps: signedBy(intent.owner, TRANSFER.to) }), undefined);

    assert.deepEqual([editor.asked.length, seen.lent, seen.handed, seen.proofs], [1, 0, 0, 0]);
  });

  it("L10: returns nothing when a signature is not from the reviewed key", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });
    await assert.rejects(send({ steps: signedBy(TRANSFER.to) }), code("SIGNATURE_FOREIGN"));

    assert.equal(seen.handed, 0);
  });

  it("signs and hands out nothing when the person left while it was built", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });

    assert.equal(await send({ steps: { plan: async () => undefined } }), undefined);

    assert.deepEqual([seen.lent, seen.handed], [0, 0]);
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

    assert.deepEqual([read, built, seen.handed], [[undefined, 2], [2], 1]);
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

  it("checks the requests of programs before the review, and those of a person not at all", async () => {
    const check = (): never => {
      throw new ChainError("CALL_WOULD_FAIL", { reason: "it would fail" });
    };
    const { seen, send } = senderWith({});

    await assert.rejects(send({ steps: { check } }), code("CALL_WOULD_FAIL"));
    assert.equal(editor.asked.length, 0);
    await send({ unattended: false, steps: { check } });
    assert.deepEqual([editor.asked.length, seen.handed], [1, 0]);
  });

  it("starts again with the request that a button of the review changed", async () => {
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

    assert.deepEqual([labels, seen.drafts, seen.lent, seen.handed], [[undefined, "changed"], 2, 1, 1]);
  });

  it("H8: signs nothing when the local chain does not prove itself any more", async () => {
    const gone = async (): Promise<void> => {
      throw new Error("somebody else answers");
    };
    const { seen, send } = senderWith({ isOfChain: () => true, prove: gone });

    await assert.rejects(send(), /somebody else/);

    assert.deepEqual([seen.lent, seen.handed], [0, 0]);
  });

  it("H8: asks on every other network, for every account", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });

    assert.equal(await send({ network: profileAt("http://127.0.0.1:9471") }), undefined);

    assert.deepEqual([seen.lent, editor.asked.length], [0, 1]);
  });

  it("L9: does not take the bytes of an earlier payment for a new one, and asks for no signature", async () => {
    const { txId } = verified;
    const { seen, send } = senderWith({ isOfChain: () => true }, [{ txId, state: { kind: "solidified" } }]);

    await assert.rejects(send(), code("TRANSACTION_KNOWN"));
    await assert.rejects(
      send({ unattended: false, replaces: txId, acknowledgeUnknown: [txId] }),
      code("TRANSACTION_KNOWN"),
    );

    assert.deepEqual([seen.lent, seen.handed, editor.asked.length], [0, 0, 0]);
  });

  it("M4: signs nothing for an account that another journal guards, and asks nothing of a network for it", async () => {
    const elsewhere = { pass: async () => false, require: async () => assert.fail("it went on") };
    const { seen, send } = senderWith({}, [], elsewhere);

    assert.equal(await send({ network: profileAt("http://127.0.0.1:9471") }), undefined);

    assert.deepEqual([seen.drafts, seen.lent], [0, 0]);
  });

  it("M4: asks about no guard for an account of the local chain", async () => {
    const never = { pass: async () => assert.fail("asked"), require: async () => assert.fail("asked") };
    const { seen, send } = senderWith({ isOfChain: () => true }, [], never);

    await send();

    assert.equal(seen.handed, 1);
  });

  it("M4: signs nothing when the guard went elsewhere while the review was read", async () => {
    const moved = {
      pass: async () => true,
      require: async () => {
        throw new Error("guarded elsewhere");
      },
    };
    const { seen, send } = senderWith({}, [], moved);
    editor.answer = "Sign";

    await assert.rejects(send(), /guarded elsewhere/);

    assert.deepEqual([seen.lent, seen.handed], [0, 0]);
  });

  it("H5: asks nothing of a network in Restricted Mode", async () => {
    const { seen, send } = senderWith({ isOfChain: () => true });
    editor.trusted = false;

    await assert.rejects(send(), code("WORKSPACE_NOT_TRUSTED"));

    assert.deepEqual([seen.drafts, seen.lent, seen.handed], [0, 0, 0]);
  });

  describe("with a signer outside", () => {
    const { txId, rawDataHex } = verified;
    const approve: ExternalSigner["sign"] = async (request) => {
      await request.handOut();
      return signTransactionId(request.txId, key);
    };
    const outside = (sign: ExternalSigner["sign"]) => senderWith({}, [], open, { address: intent.owner, sign });

    beforeEach(() => {
      editor.answer = "Sign";
    });

    it("asks it for the very bytes of the review, in the words of the review, and sends what it signed", async () => {
      const asked: SigningRequest[] = [];
      const { seen, send, clock } = outside(async (request) => {
        asked.push(request);
        return await approve(request);
      });
      const review = async (): Promise<Review> => {
        await clock.advance(20_000);
        return REVIEW;
      };

      await send({ steps: { review } });

      const [request] = asked;
      assert.deepEqual(
        [request?.txId, request?.rawDataHex, request?.signer, request?.owner, request?.permissionId],
        [txId, rawDataHex, intent.owner, intent.owner, 0],
      );
      assert.deepEqual([request?.review.title, request?.validMs], [REVIEW.title, 40_000]);
      assert.deepEqual([seen.lent, seen.handed, seen.signatures], [0, 1, [signTransactionId(txId, key)]]);
    });

    it("writes the bytes down, as those of a file, before it lets them go, and not before they are wanted", async () => {
      const steps: number[] = [];
      const { seen, send } = outside(async (request) => {
        steps.push(seen.kept.length);
        await request.handOut();
        steps.push(seen.kept.length);
        return undefined;
      });

      assert.equal(await send(), undefined);

      assert.deepEqual([steps, seen.handed], [[0, 1], 0]);
      const [kept] = seen.kept as readonly (SignedTransaction & { readonly renews: boolean })[];
      assert.deepEqual([kept?.txId, kept?.signatures, kept?.renews], [txId, [], false]);
    });

    it("asks no external signer without the user's consent, for every caller", async () => {
      editor.answer = undefined;
      const { send } = outside(() => assert.fail("asked"));

      assert.equal(await send({ unattended: true }), undefined);
      assert.equal(editor.asked.length, 1);
    });

    it("takes no signature of another key, and none of other bytes", async () => {
      const others: readonly ExternalSigner["sign"][] = [
        async () => signTransactionId(txId, generatePrivateKey()),
        async () => signTransactionId(fakeBytes(7).txId, key),
      ];
      for (const sign of others) {
        const { seen, send } = outside(sign);
        await assert.rejects(send(), code("SIGNATURE_FOREIGN"));
        assert.equal(seen.handed, 0);
      }
    });

    it("lets nothing go when the guard went elsewhere meanwhile", async () => {
      let asked = 0;
      const require = async (): Promise<void> => {
        if (++asked > 1) throw new Error("guarded elsewhere");
      };
      const guard = { pass: async () => true, require };
      const { seen, send } = senderWith({}, [], guard, { address: intent.owner, sign: approve });

      await assert.rejects(send({ network: profileAt("https://one.test") }), /guarded elsewhere/);

      assert.deepEqual([seen.kept.length, seen.handed], [0, 0]);
    });

    it("joins its signature with that of a key that is here, which it never sees", async () => {
      const second = generatePrivateKey();
      const address = addressOfPrivateKey(second);
      let outsider: SigningRequest | undefined;
      const sign: ExternalSigner["sign"] = async (request) => {
        outsider = request;
        return signTransactionId(request.txId, second);
      };
      const { seen, send } = senderWith({}, [], open, { address, sign });
      await send({ steps: signedBy(intent.owner, address) });

      assert.deepEqual(
        [outsider?.signer, outsider?.owner, JSON.stringify(outsider).includes(seen.signatures[0] ?? "?")],
        [address, intent.owner, false],
      );
      assert.deepEqual(seen.signatures, [signTransactionId(txId, key), signTransactionId(txId, second)]);
    });

    it("lets no equal payment begin while it is waited for", async () => {
      const gate = Promise.withResolvers<undefined>();
      const { send } = outside(() => gate.promise);
      const first = send();
      await settled();

      await assert.rejects(send(), code("EQUAL_TRANSACTION_ALIVE"));

      gate.resolve(undefined);
      assert.equal(await first, undefined);
    });
  });
});
