import { t } from "@vscode/l10n";

/** Why the outcome of a transaction is unknown. */
export const unknownWords = {
  notSeen: t`No gateway was seen to hold it yet.`,
  noAnswer: (endpoint: string) =>
    t`It was handed to ${endpoint}, and no answer was noted: it has not come yet, or the window closed before it came.`,
  /** @param said - by whoever stands before the node */
  turnedAway: (said: string) => t`Not sent as far as is known: ${said}`,
  /** @param said - by the node */
  alreadyKnown: (endpoint: string, said: string) =>
    t`${endpoint} says that it has seen these bytes before (${said}). That proves neither that it holds them nor why.`,
  answered: (endpoint: string, answer: "accepted" | "rejected") =>
    answer === "accepted" ? t`${endpoint} answered: accepted.` : t`${endpoint} answered: rejected.`,
} as const;
