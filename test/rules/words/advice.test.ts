import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { explain } from "../../../packages/client/src/explain/explain.ts";
import { decideActions } from "../../../packages/client/src/retry/permitted-actions.ts";
import { RETRY_TEXTS, type RetryTexts } from "../../../packages/client/src/retry/retry-messages.ts";
import { RETRIES, type RetryRowName } from "../../../packages/client/src/retry/retry-policy.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { blockReference, tracked, txId } from "../../support/tracking/tracked.ts";

const root = new URL("../../../", import.meta.url);

/** Phrases that advise to do something again. */
const ADVICE =
  /\b(?:new (?:transaction|payment|ones?)|nothing new|(?:build|built|make) (?:\w+ ){0,4}again|build and sign|rebuild|deploy again|run (?:\w+ ){1,3}again|pay again|repeat (?:it|the payment)|replacement|sign(?:ed)? (?:\w+ ){0,4}again|anew)\b/i;

/** Every text of the product that speaks of it, from its sources. Names of rows and commands are no sentences. */
function advice(): readonly string[] {
  const files = globSync("{src,packages/*/src}/**/*.ts", { cwd: root }).filter(
    (file) => !/^src\/(?:local-chain|.*\/gen)\//.test(file),
  );
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(new URL(file, root), "utf8"), ts.ScriptTarget.Latest, true);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
        const text = node
          .getText(source)
          .slice(1, -1)
          .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…");
        if (ADVICE.test(text) && /\w \w+ \w/.test(text)) found.push(text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

/** It forbids something new, or says what would come of it. */
const FORBIDS =
  /\bnever a new\b|\bdo not (?:rebuild|pay again|create a new)\b|\ba new (?:payment|one)(?: beside them)? (?:is not|could pay twice)\b|\bnot as a new one\b|\bnothing new before\b|\ba new transaction would repeat\b/i;

/** It says itself which proof, or which final failure, comes first. */
const SAYS_WHEN =
  /once (?:the failure is|that is|it is) solidified|once its solidified information shows|once no earlier attempt can be executed|only when nothing of them can be executed any more/i;

/** The very same transaction gets another signature, or its very bytes go again: its txID stays. */
const SAME_TX_ID =
  /\bsame (?:signed bytes|transaction|txID)\b|its txID stays|the txID stays|^sign again; r, s and v|^sign the raw data again\.$|^\$\(?.*same bytes/i;

/** The words of a row of the one table. Which states lead to it is tested below. */
const rowWords: ReadonlySet<string> = new Set(
  Object.values<RetryTexts>(RETRY_TEXTS).flatMap((words) => Object.values(words)),
);

/** Texts that are shown only after the retry policy allowed a replacement. */
const JUDGED: ReadonlySet<string> = new Set([
  // The command that runs where `doItAgain` of the decision is allowed.
  "Retry as New Transaction…",
  "Retry as New Transaction",
  // The question, and what it tells, of a command that runs where `createReplacement` of the judgement is allowed.
  "Create a replacement for …?",
  "Finality will not send the old one again. You review the new one before it is signed.",
]);

/** The node refused the request, which was never a transaction, or the words of the table follow (tested below). */
const REFUSED: ReadonlySet<string> = new Set([
  "Build the transaction again with triggersmartcontract or deploycontract.",
  "If it is over, …. If it is too far ahead, send the same signed bytes again …, or rebuild with an expiration in range and never send these bytes.",
]);

/** It speaks of something else than a transaction. */
const SOMETHING_ELSE: ReadonlySet<string> = new Set([
  "Report a new transaction as a duplicate (once)",
  "Error generating a new transaction id",
  "No debugged program has printed output since Finality started. Run it again, or copy the text and run Decode from Clipboard.",
  "The old key is deleted. If it is stored nowhere else, get a new one from the service.",
]);

function stands(sentence: string): boolean {
  return (
    FORBIDS.test(sentence) ||
    SAYS_WHEN.test(sentence) ||
    SAME_TX_ID.test(sentence) ||
    [rowWords, JUDGED, REFUSED, SOMETHING_ELSE].some((known) => known.has(sentence))
  );
}

describe("the sentences of the product that speak of something new", () => {
  const sentences = advice();

  it("each forbid it, say what comes first, keep the txID, or stand where a proof or a refusal stands before them", () => {
    assert.ok(sentences.length > 50, String(sentences.length));
    assert.deepEqual(
      sentences.filter((sentence) => !stands(sentence)),
      [],
    );
  });

  it("are all there that are let through by name", () => {
    const gone = [...JUDGED, ...REFUSED, ...SOMETHING_ELSE].filter((it) => !sentences.includes(it));

    assert.deepEqual(gone, []);
  });

  it("follow a refusal of the node with what the table asks for", () => {
    const message =
      "Contract validate error : contract type error, expected type [TriggerSmartContract], real type [x]";
    const refusal = JSON.stringify({ code: "CONTRACT_VALIDATE_ERROR", txid: "cd".repeat(32), message });

    assert.match(explain(refusal).retry.when ?? "", /once no earlier attempt can be executed/);
  });
});

/** Returns true if a text advises something new without its precondition. */
const asksForNew = (words: RetryTexts): boolean =>
  [words.advice, words.whyNot].some((it) => it !== undefined && /\b(?:new|anew)\b/i.test(it) && !FORBIDS_NEW.test(it));
const FORBIDS_NEW =
  /a new (?:payment|one) (?:is not|could pay twice)|do not create a new transaction before it is proven/i;

const refusedOnce = { outcome: { kind: "rejected", code: "SIGERROR", message: "" } } as const;
const unanswered = { outcome: { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "" } } as const;
const block = blockReference(7);

/** A transaction in every state, after one attempt and after two. */
function* states(): Generator<readonly [name: string, tracked: TrackedTransaction]> {
  const attempt = (outcome: (typeof refusedOnce)["outcome"] | (typeof unanswered)["outcome"]) => ({
    number: 1,
    startedAt: 1,
    endpoint: "http://fake.test",
    outcome,
  });
  const once = [attempt(refusedOnce.outcome)];
  const twice = [attempt(unanswered.outcome), attempt(refusedOnce.outcome)];
  const kinds: readonly (readonly [string, Partial<TrackedTransaction>])[] = [
    ["signed", { state: { kind: "signed" } }],
    ["unknown", { state: { kind: "unknown", reason: "" } }],
    ["pending", { state: { kind: "pending" } }],
    ["included", { state: { kind: "included", block } }],
    ["executed", { state: { kind: "solidified", block, outcome: { kind: "success" } } }],
    ["failed", { state: { kind: "solidified", block, outcome: { kind: "failed", result: "REVERT", message: "" } } }],
    ["replaced", { state: { kind: "replaced", by: txId("9") } }],
    ...RETRIES.map((retry) => [`refused: ${retry}`, { state: rejected(retry) }] as const),
  ];
  for (const [name, change] of kinds)
    for (const [times, attempts] of [
      ["once", once],
      ["twice", twice],
    ] as const)
      yield [`${name}, ${times}`, tracked({ ...change, attempts })];
}

function rejected(retry: RetryRowName): TrackedTransaction["state"] {
  return { kind: "rejected", code: "X", message: "", retry } as TrackedTransaction["state"];
}

describe("the words about a tracked transaction", () => {
  it("ask for a new one only when it failed finally, was proven absent, or its only submission was refused", () => {
    const asking = [...states()].filter(([, it]) => asksForNew(decideActions(it))).map(([name]) => name);

    assert.deepEqual(asking, ["failed, once", "failed, twice", "refused: rebuild, once", "refused: fix-request, once"]);
  });
});
