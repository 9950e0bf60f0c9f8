import { counted, formatTime } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { ConnectionIssue } from "../tracking/connection-issue.ts";
import { LONGEST_PAUSE_MS } from "../tracking/poll-interval.ts";

const OFFLINE = t`This computer is offline. Finality checks open transactions when it is online again; Check Now checks immediately.`;
const SECONDS = LONGEST_PAUSE_MS / 1_000;

/**
 * Describes connection issues, one per line.
 *
 * @param now - Unix ms
 */
export function describeIssues(issues: readonly ConnectionIssue[], now: number): string | undefined {
  const waiting = issues.filter(({ waitsFor }) => waitsFor === "for-an-answer");
  const offline = issues.filter(({ waitsFor }) => waitsFor === "for-a-connection");
  const others = issues.filter((it) => !waiting.includes(it) && !offline.includes(it));
  const alone = waiting.length === 1;
  const lines = [
    ...others.map((it) => ownLine(it, now)),
    ...(offline.length > 0 ? [OFFLINE] : []),
    ...(alone ? waiting.map(forOne) : []),
    ...(waiting.length > 1 ? [forAll(waiting), ...causes(waiting)] : []),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}

function ownLine(issue: ConnectionIssue, now: number): string {
  if (issue.waitsFor === "as-asked") return requestedPause(issue, now);
  return issue.txIds === undefined ? issue.message : ofSome(issue, issue.txIds);
}

function ofSome({ network, message }: ConnectionIssue, txIds: readonly TxId[]): string {
  const count = counted(txIds.length, t`transaction`, t`transactions`);
  return t`${count} on ${network} cannot be queried; all others are tracked. ${message}`;
}

function requestedPause({ network, nextTryAt, isShortened }: ConnectionIssue, now: number): string {
  const at = formatTime(nextTryAt, now);
  if (isShortened === true) {
    return t`${network} requested a pause of a day or more. Finality checks its open transactions again at ${at}.`;
  }
  return t`${network} requested a pause. Finality checks its open transactions again at ${at}.`;
}

function forOne({ network, message }: ConnectionIssue): string {
  return t`Waiting for ${network}. Finality checks its open transactions again within ${SECONDS} s; Check Now checks immediately. ${message}`;
}

function forAll(waiting: readonly ConnectionIssue[]): string {
  const names = waiting.map(({ network }) => network).join(", ");
  return t`Waiting for an answer of ${names}. Finality checks its open transactions again within ${SECONDS} s, or when this computer is online again.`;
}

/** Returns separate causes; none if all are the same. */
function causes(waiting: readonly ConnectionIssue[]): readonly string[] {
  const isOne = new Set(waiting.map(({ reason }) => reason)).size === 1;
  return isOne ? [] : waiting.map(({ message }) => message);
}
