import { blockId, blockReference } from "@finality/tron/primitives";
import {
  byKind,
  flag,
  listOf,
  mark,
  matching,
  object,
  type ReadOf,
  text,
  tryReadJson,
  wholeNumber,
} from "@finality/tron/read";
import { t } from "@vscode/l10n";
import { incomingWatch, payment, payments, watchId } from "./incoming-watch.ts";

/** A set of watches that one read serves: a hash of their ids. */
const groupId = matching(/^[0-9a-f]{16}$/, t`the id of a group`);
const position = object({ number: wholeNumber, id: blockId });

const entry = byKind({
  /** A watch began. With how far it was read, when the file was written anew. */
  begun: object(
    { watch: incomingWatch },
    {
      readTo: blockReference,
      readAt: wholeNumber,
      partly: mark,
      stoppedAt: wholeNumber,
      hiddenAt: wholeNumber,
      partedAt: wholeNumber,
    },
  ),
  stopped: object({ id: watchId, at: wholeNumber }),
  hidden: object({ id: watchId, at: wholeNumber }),
  /** Which watches the reads under this name serve. */
  group: object({ group: groupId, of: text, ids: listOf(watchId) }),
  /** All blocks after one and up to another were read for a group, and this is what was paid in them: one fact. */
  read: object({ group: groupId, after: position, to: blockReference, at: wholeNumber, payments }, { partly: mark }),
  /** What was known when the file was written anew. */
  found: object({ of: text, payments: listOf(object({ payment, withdrawn: flag })) }),
  /** Blocks of one chain that were read, in ascending order; the last one is where somebody is. */
  path: object({ path: listOf(blockReference) }),
  /** The gateway tells other blocks than those that led to one that was read: up to another one they are the same. */
  forked: object({ of: text, from: blockId, to: blockReference, at: wholeNumber }),
  /** No block that led to this one is there any more, as far as was looked. */
  parted: object({ of: text, from: blockId, at: wholeNumber }),
});

/** A line about incoming payments. What is known is the fold of all lines in their order (`IncomingLedger`). */
export type IncomingEntry = ReadOf<typeof entry>;

const line = object({ v: wholeNumber, it: entry });
const VERSION = 1;

/** An entry as a line of text. */
export function encodeIncoming(it: IncomingEntry): string {
  return JSON.stringify({ v: VERSION, it }, (_name, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

/** The entry of a line; undefined for one that is torn, damaged, or of a newer version. */
export function decodeIncoming(text: string): IncomingEntry | undefined {
  const read = tryReadJson(line, text);
  return read?.v === VERSION ? read.it : undefined;
}
