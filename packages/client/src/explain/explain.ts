import { t } from "@vscode/l10n";
import { withoutEscapes } from "./decode/plain-forms.ts";
import { hasTrace } from "./decode/trace.ts";
import { kindsOfText, unwrap } from "./recognise/whole-text.ts";
import type { ExplainContext, Explanation } from "./result/explanation.ts";
import { verdictOf } from "./result/retry-verdict.ts";
import { type Finding, field, firstOf, plainFinding } from "./words/finding.ts";

/**
 * Explains any pasted or hovered text: answers of a node, hex messages, revert data, codes, ids, addresses, HTTP
 * failures, or a log line that contains any of these. Pure and total: it never throws, does no I/O, and takes time
 * linear in the text. `raw` is the whole input.
 *
 * @example
 * explain('{"code":"SIGERROR","message":"736967206572726f72"}').retry.sameBytes; // "no"
 */
export function explain(input: string, context: ExplainContext = {}): Explanation {
  const inside = unwrap(withoutEscapes(input).trim(), context);
  // Only an answer of a node or a gateway comes with a status or an endpoint.
  const isAnswer = context.status !== undefined || context.endpoint !== undefined;
  let trace: boolean | undefined;
  const isOfChain = () => (trace ??= isAnswer || context.isOfChain?.() === true || hasTrace(inside.text));
  const finding = firstOf(kindsOfText, inside.text, { ...inside.context, isOfChain }) ?? unknown(inside.text);
  return { ...finding, raw: input };
}

function unknown(text: string): Finding {
  return plainFinding(
    "UNKNOWN",
    {
      title: t`Not recognised`,
      cause: t`This is nothing that the chain, a gateway or a contract is known to say.`,
      fix: t`Paste the whole answer, or the whole line of the log.`,
    },
    { entry: "generic-unknown", retry: verdictOf("not-known"), decoded: field(t`text`, text.slice(0, 2000)) },
  );
}
