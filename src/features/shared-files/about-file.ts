import { isChainError } from "../../core/errors/chain-error.ts";
import { labelText } from "../../core/primitives/plain-text.ts";
import { readTransactionFile } from "../../core/transaction/transaction-file.ts";
import { timeLeft } from "../../words/forms/durations.ts";
import { lensText } from "./shared-review.view.ts";

/** What a lens says of a text. */
export interface AboutFile {
  readonly text: string;
  readonly readable: boolean;
  /** Whether it says something else in a while. */
  readonly counts: boolean;
}

const LONG = 200;

/** Reads the text of a document. A part of its own: it holds the codec. */
export function aboutFile(text: string, now: number): AboutFile {
  try {
    const transaction = readTransactionFile(text);
    const about = labelText(lensText(transaction, now, timeLeft), LONG);
    return { text: about, readable: true, counts: transaction.expiration > now };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { text: labelText(error.message, LONG), readable: false, counts: false };
  }
}
