import { entriesIn, type MessageMatch, type MessagePart } from "../catalogue/catalogue.ts";
import type { CatalogueEntry } from "../catalogue/entry.ts";
import { messagesAround } from "../catalogue/message-bounds.ts";
import { matchNodeText } from "./message-text.ts";
import { withoutJsonEscapes } from "./plain-forms.ts";

/** A message of the catalogue in a text that a program printed. */
export interface FoundMessage extends MessageMatch {
  /** The message without what stands around it. */
  readonly message: string;
}

const MAX_TEXT = 65_536;

/**
 * Finds the most specific message of the catalogue in a text: out of quotes, brackets, JSON and what loggers put around
 * it. Takes time linear in the text.
 *
 * @param counts - whether an entry counts here
 */
export function findMessage(
  text: string,
  counts: (entry: CatalogueEntry) => boolean = () => true,
): FoundMessage | undefined {
  let best: (FoundMessage & { readonly weight: number }) | undefined;
  for (const line of linesOf(text)) {
    for (const part of entriesIn(line, best?.weight)) {
      if (!counts(part.entry)) continue;
      const found = messageOf(line, part);
      if (found === undefined) continue;
      best = { ...found, weight: part.weight };
      break;
    }
  }
  return best;
}

/** The lines of a text without the escapes of JSON and YAML, and without blanks around them. */
export function linesOf(text: string): readonly string[] {
  return withoutJsonEscapes(text.slice(0, MAX_TEXT))
    .split(/[\r\n]+/)
    .map((line) => withoutYamlQuotes(line.trim()));
}

/** A value of YAML in single quotes, in which two of them mean one. */
const YAML_QUOTED = /^([\w.-]{1,80}:\s+|-\s+)'((?:[^']|''){1,4000})'$/;

function withoutYamlQuotes(line: string): string {
  return line.replace(YAML_QUOTED, (_all, key: string, value: string) => key + value.replaceAll("''", "'"));
}

function messageOf(line: string, part: MessagePart): FoundMessage | undefined {
  const { messages, least } = messagesAround(line, part);
  for (const message of messages) {
    const match = matchNodeText(message);
    if (match !== undefined) return { ...match, message };
  }
  const match = part.isTelling ? matchNodeText(least) : undefined;
  return match && { ...match, message: least };
}
