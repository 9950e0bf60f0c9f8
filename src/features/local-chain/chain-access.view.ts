import { ChainError } from "@finality/tron/errors";
import { keyOf, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";

/** What the local chain asks for. */
interface Access {
  readonly jwt: boolean;
  readonly apiKey: boolean;
}

/** The words by which programs say it. */
export const ACCESS_WORDS = {
  none: { jwt: false, apiKey: false },
  jwt: { jwt: true, apiKey: false },
  "api-key": { jwt: false, apiKey: true },
  "jwt-and-api-key": { jwt: true, apiKey: true },
} as const satisfies { readonly [word: string]: Access };

export type AccessWord = keyof typeof ACCESS_WORDS;

/** The audience of tokens for the embedded chain. */
export const LOCAL_AUDIENCE = "localhost";

const word = keyOf(ACCESS_WORDS);

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` */
export function accessWord(text: string): AccessWord {
  const found = tryRead(word, text.trim());
  if (found !== undefined) return found;
  const reason = t`write ${Object.keys(ACCESS_WORDS).join(t`, `)}`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "access", reason });
}

const LINES: { readonly [W in AccessWord]: readonly [label: string, detail: string] } = {
  none: [t`$(unlock) Nothing`, t`As a plain node: every request is answered.`],
  jwt: ["$(key) JWT", t`A request without a valid token is dropped without an answer. A key is made for it.`],
  "api-key": [t`$(lock) API key`, t`Without the key the answer is 401, with a wrong one 403. A key is made for it.`],
  "jwt-and-api-key": [t`$(key) JWT and API key`, t`Both, as at a hosted gateway.`],
};

/** A line of the list. */
export interface AccessItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly word: AccessWord;
}

/** What can be chosen, with a mark at what is so now. */
export function accessItems(now: Access): readonly AccessItem[] {
  const words: readonly AccessWord[] = ["none", "jwt", "api-key", "jwt-and-api-key"];
  return words.map((it) => {
    const [label, detail] = LINES[it];
    const { jwt, apiKey } = ACCESS_WORDS[it];
    return { label, detail, description: jwt === now.jwt && apiKey === now.apiKey ? t`now` : "", word: it };
  });
}

/** What it asks for, in words; undefined for nothing. */
export function accessText({ jwt, apiKey }: Access): string | undefined {
  const words = [...(jwt ? ["JWT"] : []), ...(apiKey ? [t`API key`] : [])];
  return words.length === 0 ? undefined : words.join(t` and `);
}
