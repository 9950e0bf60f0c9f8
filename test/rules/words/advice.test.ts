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

/** Returns every sentence in the sources that matches `ADVICE`. */
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

/** Sentences that forbid a new transaction, or name its consequence. */
const FORBIDS =
  /\bnever a new\b|\bdo not (?:rebuild|pay again|create a new)\b|\ba new (?:payment|one)(?: beside them)? (?:is not|could pay twice)\b|\bnot as a new one\b|\bnothing new before\b|\b(?:send|propose) nothing new\b|\ba new transaction would repeat\b/i;

/** Sentences that name the proof or final failure that must come first. */
const NAMES_PRECONDITION =
  /once (?:the failure is|that is|it is) solidified|once its solidified information shows|once no earlier attempt can be executed|only when none of their transactions can be executed any more|before you run the (?:tool|command) again/i;

/** Sentences about the same bytes or the same txID. */
const SAME_TX_ID =
  /\bsame (?:signed bytes|transaction|txID)\b|its txID stays|the txID stays|^sign again; r, s and v|^sign the raw data again\.$|^\$\(?.*same bytes/i;

/** Texts of the retry table. The states that lead to each row are tested below. */
const tableTexts: ReadonlySet<string> = new Set(
  Object.values<RetryTexts>(RETRY_TEXTS).flatMap((words) => Object.values(words)),
);

/** Texts that are shown only after the retry policy allowed a replacement. */
const AFTER_DECISION: ReadonlySet<string> = new Set([
  // Shown when the decision allows `doItAgain`.
  "Retry as New Transaction…",
  "Retry as New Transaction",
  // Shown when the decision allows `createReplacement`.
  "Create a replacement for …?",
  "Finality will not send the old one again. You review the new one before it is signed.",
  // Returned to agents for a transaction whose absence is proven.
  "It is proven that it was never executed. A replacement is safe.",
]);

/** Texts about a request that the node refused before it was a transaction, or that are followed by a table text. */
const REFUSED: ReadonlySet<string> = new Set([
  "Build the transaction again with triggersmartcontract or deploycontract.",
  "If it has passed, …. If it is too far ahead, send the same signed bytes again …, or rebuild with a valid expiration and never send these bytes.",
]);

/** Texts of the command line, whose `send` searches the journal for equal transactions before it signs. */
const COMMAND_LINE: ReadonlySet<string> = new Set([
  "Run the same command again, after a pause. Nothing was changed.",
  "Run the command again and confirm the review. --yes works only on networks in testNetworks, and on the embedded chain.",
  "Correct the value, then run the command again.",
  "Nothing is sent without the journal. Check its file, then run the command again.",
]);

/** Texts that are not about a transaction. */
const UNRELATED: ReadonlySet<string> = new Set([
  "Report a new transaction as a duplicate (once)",
  "Error generating a new transaction id",
  "No debugged program has printed output since Finality started. Run it again, or copy the text and run Decode from Clipboard.",
  "The old key is deleted. If it is stored nowhere else, get a new one from the service.",
  "… is not installed. Install the packages of …, and run the tests again.",
]);

function isSafe(sentence: string): boolean {
  return (
    FORBIDS.test(sentence) ||
    NAMES_PRECONDITION.test(sentence) ||
    SAME_TX_ID.test(sentence) ||
    [tableTexts, AFTER_DECISION, REFUSED, COMMAND_LINE, UNRELATED].some((texts) => texts.has(sentence))
  );
}

describe("texts that advise a new transaction", () => {
  const sentences = advice();

  it("forbid it, name the precondition, keep the txID, or follow a proof or refusal", () => {
    assert.ok(sentences.length > 50, String(sentences.length));
    assert.deepEqual(
      sentences.filter((sentence) => !isSafe(sentence)),
      [],
    );
  });

  it("include every exception that is listed by name", () => {
    const gone = [...AFTER_DECISION, ...REFUSED, ...COMMAND_LINE, ...UNRELATED].filter((it) => !sentences.includes(it));

    assert.deepEqual(gone, []);
  });

  it("add the advice of the retry table to a refusal of the node", () => {
    const message =
      "Contract validate error : contract type error, expected type [TriggerSmartContract], real type [x]";
    const refusal = JSON.stringify({ code: "CONTRACT_VALIDATE_ERROR", txid: "cd".repeat(32), message });

    assert.match(explain(refusal).retry.when ?? "", /once no earlier attempt can be executed/);
  });
});

/** Returns true if a text advises something new without its precondition. */
const asksForNew = (texts: RetryTexts): boolean =>
  [texts.advice, texts.whyNot].some((it) => it !== undefined && /\b(?:new|anew)\b/i.test(it) && !FORBIDS_NEW.test(it));
const FORBIDS_NEW =
  /a new (?:payment|one) (?:is not|could pay twice)|do not create a new transaction before it is proven/i;

const refusedOnce = { outcome: { kind: "rejected", code: "SIGERROR", message: "" } } as const;
const unanswered = { outcome: { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "" } } as const;
const block = blockReference(7);

/** Yields a transaction in every state, after one attempt and after two. */
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

describe("advice for a tracked transaction", () => {
  it("suggests a new one only after a final failure, a proof of absence, or the refusal of the only submission", () => {
    const asking = [...states()].filter(([, it]) => asksForNew(decideActions(it))).map(([name]) => name);

    assert.deepEqual(asking, ["failed, once", "failed, twice", "refused: rebuild, once", "refused: fix-request, once"]);
  });
});
