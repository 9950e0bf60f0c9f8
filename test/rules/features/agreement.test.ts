import assert from "node:assert/strict";
import { explain } from "../../../packages/client/src/explain/explain.ts";
import { fixNow } from "../../../packages/client/src/explain/failure-reason.ts";
import {
  ACTIONS,
  type Action,
  decideActions,
  resendRefusal,
} from "../../../packages/client/src/retry/permitted-actions.ts";
import { RETRY_TABLE } from "../../../packages/client/src/retry/retry-policy.ts";
import { resubmitTransaction } from "../../../packages/client/src/tracking/submit-transaction.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import {
  isUnsettled,
  isUnverifiedRejection,
} from "../../../packages/client/src/transaction-state/transaction-conditions.ts";
import { isChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import {
  describeButtons as decoderButtons,
  describeTrackedRetry,
} from "../../../src/features/decoder/decoder-page.view.ts";
import { describeLiveRetry, liveActions } from "../../../src/features/explanations/explanation.view.ts";
import { noticeAbout } from "../../../src/features/tracking/notifications.view.ts";
import { describeTimeline } from "../../../src/features/tracking/timeline-page.view.ts";
import { contextValue } from "../../../src/features/tracking/transaction.view.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { EVERY_HISTORY } from "../../support/tracking/every-history.ts";
import { nameOf, noReasons, txId } from "../../support/tracking/tracked.ts";

type Commands = typeof import("../../../src/features/transactions/transaction-commands.ts");
type Replacements = typeof import("../../../src/features/transactions/create-replacement.ts");
type SharedFiles = typeof import("../../../src/features/shared-files/commands.ts");
type Proofs = typeof import("../../../src/features/transactions/proof-files.ts");

const CODE = "CONTRACT_VALIDATE_ERROR";
const OTHER_URLS = ["https://other.test"];
const viewContext = { nameOf, timeOf: String, reasonOf: noReasons, sessionStart: 1_000_000_000 };

/** Actions that a view permits, and its reasons for the others. */
interface Offer {
  readonly actions: readonly Action[];
  readonly whyNotResend?: string | undefined;
  readonly whyNotReplace?: string | undefined;
  readonly advice?: string | undefined;
}

function buttonsOf(
  buttons: readonly { readonly action: string; readonly whyNot?: string | null }[],
): readonly Action[] {
  const enabled = buttons.filter(({ whyNot = null }) => whyNot === null).map(({ action }) => action);
  return ACTIONS.filter((it) => enabled.includes(BUTTONS[it]));
}

const BUTTONS: { readonly [A in Action]: string } = {
  sendSameBytes: "resend",
  sendToAnotherNode: "another-node",
  createReplacement: "replace",
  doItAgain: "again",
  signAgain: "sign",
  exportProof: "export-proof",
  lookNow: "look-now",
};

function offerOfTimeline(it: TrackedTransaction): Offer {
  const { buttons, advice } = describeTimeline(it, { ...viewContext, production: false, fallbackUrls: OTHER_URLS });
  const whyNotReplace = buttons.find(({ action }) => action === "replace")?.whyNot ?? undefined;
  return { actions: buttonsOf(buttons), whyNotReplace, advice: advice ?? undefined };
}

function offerOfDecoder(it: TrackedTransaction): Offer {
  const { text, detail } = describeTrackedRetry(it, undefined);
  const whyNotResend = ["Do not send the same bytes again", "Nothing to do"].includes(text)
    ? (detail ?? "")
    : undefined;
  return { actions: buttonsOf(decoderButtons(it.txId, it, { fallbackUrls: OTHER_URLS, decode: [] })), whyNotResend };
}

function actionsOfTree(it: TrackedTransaction, otherUrls = OTHER_URLS): readonly Action[] {
  const flags = contextValue(it, otherUrls).split("+");
  const has = (flag: string, ...actions: readonly Action[]) => (flags.includes(flag) ? actions : []);
  const found: readonly Action[] = [
    ...has(it.state.kind === "signed" ? "sendable" : "resendable", "sendSameBytes"),
    ...has("elsewhere", "sendToAnotherNode"),
    ...has("signable", "signAgain"),
    ...has("replaceable", "createReplacement"),
    ...has("again", "doItAgain"),
    ...has("proven", "exportProof"),
    ...has("moving", "lookNow"),
  ];
  return ACTIONS.filter((action) => found.includes(action));
}

function describeHistory({ state, attempts, signed }: TrackedTransaction): string {
  const answers = attempts.map(({ outcome }) => outcome?.kind ?? "none");
  return `${JSON.stringify(state)} after ${answers.join(", ")}, ${signed === undefined ? "signed elsewhere" : "signed here"}`;
}

type Decision = ReturnType<typeof decideActions>;

/** Compares a view with the decision for every history. */
function forAll(check: (it: TrackedTransaction, decision: Decision, history: string) => void): void {
  for (const it of EVERY_HISTORY) check(it, decideActions(it, { otherUrls: OTHER_URLS }), describeHistory(it));
}

const allowedOf = (decision: Decision): readonly Action[] => ACTIONS.filter((action) => decision[action].allowed);
const refusalOf = ({ sendSameBytes: it }: Decision) => (it.allowed ? undefined : it.why);

describe("retry decision in views", () => {
  it("covers every row of the retry table", () => {
    assert.deepEqual(new Set(EVERY_HISTORY.map((it) => decideActions(it).row)), new Set(Object.keys(RETRY_TABLE)));
  });

  it("M1, M1b: determines the actions of the list", () => {
    forAll((it, decision, history) => assert.deepEqual(actionsOfTree(it), allowedOf(decision), history));
  });

  it("removes the action for another node on a network with one URL", () => {
    for (const it of EVERY_HISTORY)
      assert.deepEqual(actionsOfTree(it, []), allowedOf(decideActions(it, { otherUrls: [] })), describeHistory(it));
  });

  it("M1, M1b: determines actions, advice and reasons of the timeline", () => {
    forAll((it, decision, history) => {
      const { createReplacement } = decision;
      const isComing = !createReplacement.allowed && createReplacement.when !== undefined;
      const whyNotReplace = isComing ? createReplacement.why : undefined;
      const offer = offerOfTimeline(it);

      assert.deepEqual([offer.actions, offer.whyNotReplace], [allowedOf(decision), whyNotReplace], history);
      if (it.signed !== undefined) assert.ok((offer.advice ?? "").startsWith(decision.advice ?? ""), history);
    });
  });

  it("M1, M1b: determines actions, advice and reasons of the decoder", () => {
    forAll((it, decision, history) => {
      const { actions, whyNotResend } = offerOfDecoder(it);

      assert.deepEqual([actions, whyNotResend], [allowedOf(decision), refusalOf(decision)], history);
      const { detail } = describeTrackedRetry(it, undefined);
      if (decision.sendSameBytes.allowed) assert.ok((detail ?? "").includes(decision.advice ?? ""), history);
    });
  });

  it("M1, M1b: determines actions and reasons of a hover", () => {
    forAll((it, decision, history) => {
      const commands = liveActions({ tracked: it }).map(({ command }) => command);
      const words = describeLiveRetry({ tracked: it });

      assert.equal(commands.includes("finality.sendSameBytesAgain"), decision.sendSameBytes.allowed, history);
      assert.equal(commands.includes("finality.lookNow"), decision.lookNow.allowed, history);
      const refusal = refusalOf(decision);
      if (refusal !== undefined) assert.equal(words, `no. ${refusal}`, history);
      else
        assert.equal(
          words,
          decision.when === undefined ? "yes, that is harmless" : `yes, when ${decision.when}`,
          history,
        );
    });
  });

  it("M1, M1b: determines advice and actions of a notification", () => {
    forAll((it, decision, history) => {
      const notice = noticeAbout(it, viewContext);
      const offersResend = notice?.actions.some(({ action }) => action === "resend") === true;
      const asks = it.state.kind === "unknown" || it.state.kind === "rejected";

      if (offersResend) assert.ok(decision.sendSameBytes.allowed, history);
      if (notice !== undefined && asks) assert.equal(offersResend, decision.sendSameBytes.allowed, history);
      if (notice !== undefined && asks) assert.ok(notice.message.includes(decision.advice ?? ""), history);
    });
  });

  it("M1, M1b: determines the fix of an explanation", () => {
    const answers = ["balance is not sufficient", "Transaction expired", "signature error", "Server busy."].map(
      (text) => explain(JSON.stringify({ code: CODE, message: text, txid: txId("7f") })),
    );
    forAll((it, { advice = "No action is needed." }, history) => {
      if (it.signed === undefined) return;
      for (const answer of answers) assert.ok(fixNow(answer, it).endsWith(advice), `${fixNow(answer, it)} ${history}`);
    });
  });

  it("M1, M1b: is the reason for which resubmitTransaction refuses", async () => {
    for (const it of EVERY_HISTORY) {
      const { sendSameBytes } = decideActions(it, { all: [it] });
      if (sendSameBytes.allowed) continue;
      const log = { get: () => it, list: () => [it], claim: unused, note: unused };
      const result = await resubmitTransaction({ log, gateway: {} as never, clock: {} as never }, it.txId);

      assert.deepEqual(result, { kind: "refused", reason: resendRefusal(sendSameBytes) }, describeHistory(it));
    }
  });

  it("M1: forbids a replacement of a transaction that only lacks coins", () => {
    for (const it of EVERY_HISTORY) {
      const { row, createReplacement } = decideActions(it);
      if (row === "same-bytes-after-funding") assert.equal(createReplacement.allowed, false, describeHistory(it));
    }
  });

  it("advises no new transaction while URLs of a network disagree about the failure", () => {
    const disputed = EVERY_HISTORY.filter((it) => decideActions(it).row === "disputed");

    for (const it of disputed) assert.doesNotMatch(decideActions(it).advice ?? "", /build|sign/, describeHistory(it));
    assert.ok(disputed.length > 0);
  });

  it("M1b: forbids a replacement of an unknown transaction, and polls one that only a gateway refused", () => {
    for (const it of EVERY_HISTORY) {
      const { createReplacement, lookNow } = decideActions(it);
      if (it.state.kind === "unknown") assert.equal(createReplacement.allowed, false, describeHistory(it));
      assert.equal(lookNow.allowed, isUnsettled(it) || isUnverifiedRejection(it), describeHistory(it));
    }
  });
});

async function unused(): Promise<never> {
  throw new Error("A refused transaction must not be written.");
}

describe("retry decision in commands", () => {
  const context = (it: TrackedTransaction) => {
    const transactions = {
      ready: async () => {},
      list: () => [it],
      get: () => it,
      networkOf: () => it.network,
      lookNow: unused,
    };
    const network = { name: it.network, baseUrl: "https://gateway.test", fallbackUrls: OTHER_URLS };
    const [networks, chains] = [
      { get: () => network, find: () => network, list: () => [network] },
      { networkRefOf: async () => ({}) },
    ];
    return { transactions, nameOf, keys: { list: () => [], nameOf }, networks, chains, gateways: {} } as never;
  };
  let commands: {
    readonly [A in Action]: (context: never, argument: { txId?: string }, input: unknown) => Promise<unknown>;
  };

  before(async () => {
    const folder = "src/features/transactions";
    const { sendSameBytesAgain, sendToAnotherNode, lookNow } = await loadWithEditor<Commands>(
      `${folder}/transaction-commands.ts`,
    );
    const { createReplacement, doItAgain } = await loadWithEditor<Replacements>(`${folder}/create-replacement.ts`);
    const { exportProof } = await loadWithEditor<Proofs>(`${folder}/proof-files.ts`);
    const { signAgain } = await loadWithEditor<SharedFiles>("src/features/shared-files/commands.ts");
    const sends = { sendSameBytes: sendSameBytesAgain, sendToAnotherNode, createReplacement, doItAgain, signAgain };
    commands = { ...sends, exportProof, lookNow };
  });

  it("M1, M1b: lists a transaction only for permitted actions", async () => {
    for (const it of EVERY_HISTORY) {
      const decision = decideActions(it, { otherUrls: OTHER_URLS });
      for (const action of ACTIONS) {
        editor.reset();
        await commands[action](context(it), {}, undefined);

        assert.equal(editor.lists, decision[action].allowed ? 1 : 0, `${action} ${describeHistory(it)}`);
      }
    }
  });

  it("M1, M1b: refuses a row with the reason of the decision", async () => {
    for (const it of EVERY_HISTORY) {
      const decision = decideActions(it, { otherUrls: OTHER_URLS });
      for (const action of [
        "createReplacement",
        "doItAgain",
        "exportProof",
        "sendToAnotherNode",
        "signAgain",
      ] as const) {
        const permission = decision[action];
        if (permission.allowed) continue;
        await assert.rejects(
          () => commands[action](context(it), { txId: it.txId }, { kind: "row", txId: it.txId }),
          (error) => isChainError(error) && error.code === permission.code && error.message.endsWith(permission.why),
        );
      }
    }
  });
});
