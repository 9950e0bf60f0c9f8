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
import { describeLifeLine } from "../../../src/features/tracking/timeline-page.view.ts";
import { contextValue } from "../../../src/features/tracking/transaction.view.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";
import { EVERY_HISTORY } from "../../support/tracking/every-history.ts";
import { nameOf, noReasons, txId } from "../../support/tracking/tracked.ts";

type Commands = typeof import("../../../src/features/transactions/transaction-commands.ts");
type Replacements = typeof import("../../../src/features/transactions/create-replacement.ts");
type SharedFileParts = typeof import("../../../src/features/shared-files/commands.ts");
type Again = typeof import("../../../src/features/transactions/create-replacement.ts");
type Proofs = typeof import("../../../src/features/transactions/proof-files.ts");

const CODE = "CONTRACT_VALIDATE_ERROR";
const OTHER_URLS = ["https://other.test"];
const viewContext = { nameOf, timeOf: String, reasonOf: noReasons, sessionStart: 1_000_000_000 };

/** Actions that each view permits, and its text for those it does not. */
interface Said {
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

function saidByLifeLine(it: TrackedTransaction): Said {
  const { buttons, advice } = describeLifeLine(it, { ...viewContext, production: false, fallbackUrls: OTHER_URLS });
  const whyNotReplace = buttons.find(({ action }) => action === "replace")?.whyNot ?? undefined;
  return { actions: buttonsOf(buttons), whyNotReplace, advice: advice ?? undefined };
}

function saidByDecoder(it: TrackedTransaction): Said {
  const { text, detail } = describeTrackedRetry(it, undefined);
  const whyNotResend = ["Do not send the same bytes again", "Nothing to do"].includes(text)
    ? (detail ?? "")
    : undefined;
  return { actions: buttonsOf(decoderButtons(it.txId, it, OTHER_URLS)), whyNotResend };
}

function saidByTree(it: TrackedTransaction, otherUrls = OTHER_URLS): readonly Action[] {
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

function sentenceOf({ state, attempts, signed }: TrackedTransaction): string {
  const answers = attempts.map(({ outcome }) => outcome?.kind ?? "none");
  return `${JSON.stringify(state)} after ${answers.join(", ")}, ${signed === undefined ? "signed elsewhere" : "our own"}`;
}

/** Holds one view against the judgement, for every transaction there is. */
function forAll(check: (it: TrackedTransaction, verdict: ReturnType<typeof decideActions>, why: string) => void): void {
  for (const it of EVERY_HISTORY) check(it, decideActions(it, { otherUrls: OTHER_URLS }), sentenceOf(it));
}

const allowedOf = (verdict: ReturnType<typeof decideActions>): readonly Action[] =>
  ACTIONS.filter((action) => verdict[action].allowed);
const refusalOf = ({ sendSameBytes: it }: ReturnType<typeof decideActions>) => (it.allowed ? undefined : it.why);

describe("one judgement of what may be done", () => {
  it("has a transaction for every row of the table", () => {
    assert.deepEqual(new Set(EVERY_HISTORY.map((it) => decideActions(it).row)), new Set(Object.keys(RETRY_TABLE)));
  });

  it("M1, M1b: is what the list offers", () => {
    forAll((it, verdict, why) => assert.deepEqual(saidByTree(it), allowedOf(verdict), why));
  });

  it("is what the list offers of a network with one URL: no other node", () => {
    for (const it of EVERY_HISTORY)
      assert.deepEqual(saidByTree(it, []), allowedOf(decideActions(it, { otherUrls: [] })), sentenceOf(it));
  });

  it("M1, M1b: is what the timeline offers, advises and refuses", () => {
    forAll((it, verdict, why) => {
      const { createReplacement } = verdict;
      const coming = !createReplacement.allowed && createReplacement.when !== undefined;
      const whyNotReplace = coming ? createReplacement.why : undefined;
      const said = saidByLifeLine(it);

      assert.deepEqual([said.actions, said.whyNotReplace], [allowedOf(verdict), whyNotReplace], why);
      if (it.signed !== undefined) assert.ok((said.advice ?? "").startsWith(verdict.advice ?? ""), why);
    });
  });

  it("M1, M1b: is what the decoder offers, advises and refuses", () => {
    forAll((it, verdict, why) => {
      const { actions, whyNotResend } = saidByDecoder(it);

      assert.deepEqual([actions, whyNotResend], [allowedOf(verdict), refusalOf(verdict)], why);
      const { detail } = describeTrackedRetry(it, undefined);
      if (verdict.sendSameBytes.allowed) assert.ok((detail ?? "").includes(verdict.advice ?? ""), why);
    });
  });

  it("M1, M1b: is what a hover offers and refuses", () => {
    forAll((it, verdict, why) => {
      const commands = liveActions({ tracked: it }).map(({ command }) => command);
      const words = describeLiveRetry({ tracked: it });

      assert.equal(commands.includes("finality.sendSameBytesAgain"), verdict.sendSameBytes.allowed, why);
      assert.equal(commands.includes("finality.lookNow"), verdict.lookNow.allowed, why);
      const refusal = refusalOf(verdict);
      if (refusal !== undefined) assert.equal(words, `no. ${refusal}`, why);
      else assert.equal(words, verdict.when === undefined ? "yes, that is harmless" : `yes, when ${verdict.when}`, why);
    });
  });

  it("M1, M1b: is what a notification advises and offers", () => {
    forAll((it, verdict, why) => {
      const notice = noticeAbout(it, viewContext);
      const offersResend = notice?.actions.some(({ action }) => action === "resend") === true;
      const asks = it.state.kind === "unknown" || it.state.kind === "rejected";

      if (offersResend) assert.ok(verdict.sendSameBytes.allowed, why);
      if (notice !== undefined && asks) assert.equal(offersResend, verdict.sendSameBytes.allowed, why);
      if (notice !== undefined && asks) assert.ok(notice.message.includes(verdict.advice ?? ""), why);
    });
  });

  it("M1, M1b: is what an explanation of an answer asks for", () => {
    const answers = ["balance is not sufficient", "Transaction expired", "signature error", "Server busy."].map(
      (text) => explain(JSON.stringify({ code: CODE, message: text, txid: txId("7f") })),
    );
    forAll((it, { advice = "Nothing has to be done." }, why) => {
      if (it.signed === undefined) return;
      for (const answer of answers) assert.ok(fixNow(answer, it).endsWith(advice), `${fixNow(answer, it)} ${why}`);
    });
  });

  it("M1, M1b: is what sending again refuses, with its sentence", async () => {
    for (const it of EVERY_HISTORY) {
      const { sendSameBytes } = decideActions(it, { all: [it] });
      if (sendSameBytes.allowed) continue;
      const log = { get: () => it, list: () => [it], claim: unused, note: unused };
      const result = await resubmitTransaction({ log, gateway: {} as never, clock: {} as never }, it.txId);

      assert.deepEqual(result, { kind: "refused", reason: resendRefusal(sendSameBytes) }, sentenceOf(it));
    }
  });

  it("M1: offers no replacement of what only lacks coins before a proof, whatever came before", () => {
    for (const it of EVERY_HISTORY) {
      const { row, createReplacement } = decideActions(it);
      if (row === "same-bytes-after-funding") assert.equal(createReplacement.allowed, false, sentenceOf(it));
    }
  });

  it("advises nothing new while the URLs of a network do not agree whether it failed", () => {
    const disputed = EVERY_HISTORY.filter((it) => decideActions(it).row === "disputed");

    for (const it of disputed) assert.doesNotMatch(decideActions(it).advice ?? "", /build|sign/, sentenceOf(it));
    assert.ok(disputed.length > 0);
  });

  it("M1b: offers no replacement while the word of the node is missing, and looks for what only a gateway refused", () => {
    for (const it of EVERY_HISTORY) {
      const { createReplacement, lookNow } = decideActions(it);
      if (it.state.kind === "unknown") assert.equal(createReplacement.allowed, false, sentenceOf(it));
      assert.equal(lookNow.allowed, isUnsettled(it) || isUnverifiedRejection(it), sentenceOf(it));
    }
  });
});

async function unused(): Promise<never> {
  throw new Error("Nothing may be written for what is refused.");
}

describe("one judgement in the dialogs", () => {
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
      { placeOn: async () => ({}) },
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
    const { createReplacement } = await loadWithEditor<Replacements>(`${folder}/create-replacement.ts`);
    const { exportProof } = await loadWithEditor<Proofs>(`${folder}/proof-files.ts`);
    const { doItAgain } = await loadWithEditor<Again>(`${folder}/create-replacement.ts`);
    const { signAgain } = await loadWithEditor<SharedFileParts>("src/features/shared-files/commands.ts");
    const sends = { sendSameBytes: sendSameBytesAgain, sendToAnotherNode, createReplacement, doItAgain, signAgain };
    commands = { ...sends, exportProof, lookNow };
  });

  it("M1, M1b: lets people choose exactly what may be done", async () => {
    for (const it of EVERY_HISTORY) {
      const verdict = decideActions(it, { otherUrls: OTHER_URLS });
      for (const action of ACTIONS) {
        editor.reset();
        await commands[action](context(it), {}, undefined);

        assert.equal(editor.lists, verdict[action].allowed ? 1 : 0, `${action} ${sentenceOf(it)}`);
      }
    }
  });

  it("M1, M1b: refuses a row with the sentence of the judgement", async () => {
    for (const it of EVERY_HISTORY) {
      const verdict = decideActions(it, { otherUrls: OTHER_URLS });
      for (const action of [
        "createReplacement",
        "doItAgain",
        "exportProof",
        "sendToAnotherNode",
        "signAgain",
      ] as const) {
        const permission = verdict[action];
        if (permission.allowed) continue;
        await assert.rejects(
          () => commands[action](context(it), { txId: it.txId }, { kind: "row", txId: it.txId }),
          (error) => isChainError(error) && error.code === permission.code && error.message.endsWith(permission.why),
        );
      }
    }
  });
});
