import {
  flag,
  listOf,
  object,
  oneOf,
  type Read,
  type ReadOf,
  record,
  text,
  tryRead,
  wholeNumber,
} from "@finality/tron/read";
import type { StoredState } from "../../host/commands/commands.ts";
import { readDraft } from "./form-fields.ts";

const STORED = "finality.argumentForms";
const MOST_DRAFTS = 30;
const MOST_CALLS = 150;
const MOST_CALLS_OF_FUNCTION = 10;
const MOST_FAVOURITES = 60;
/** Longest draft that is stored, in characters of its JSON. */
const LONGEST = 500_000;

/** Commands that the form prepares. */
export type FormCommand = "call" | "read" | "deploy";

const textsByName: Read<Readonly<Record<string, string>>> = (value) =>
  Object.fromEntries(Object.entries(record(value)).map(([name, it]) => [name, text(it)]));

const json: Read<unknown> = (value) => value;
const drafts = listOf(readDraft);

const storedDraft = object(
  {
    key: text,
    command: oneOf("call", "read", "deploy"),
    /** Argument object of the command. */
    options: record,
    /** Address in base58, or the path of the artifact. */
    target: text,
    name: text,
    origin: text,
    /** ABI entry of the chosen function. */
    entry: json,
    signature: text,
    /** Values by the signature of their function. */
    values: (value: unknown) =>
      Object.fromEntries(Object.entries(record(value)).map(([name, it]) => [name, drafts(it)] as const)),
    extras: textsByName,
    isAttempted: flag,
  },
  {
    /** Set while the transaction is signed: the local clock, Unix ms, and the digest of the intent. */
    sending: object({ at: wholeNumber, digest: text }),
    sent: text,
  },
);

/** A form that was not sent yet. It holds what the user typed. */
export type StoredDraft = ReadOf<typeof storedDraft>;

const storedCall = object(
  {
    /** Contract and function. */
    subject: text,
    values: drafts,
    extras: textsByName,
    /** Local clock, Unix ms. */
    at: wholeNumber,
  },
  { name: text, isDraft: flag },
);

/** Values of an earlier call, of a replaced draft, or of a favourite. */
export type StoredCall = ReadOf<typeof storedCall>;

const stored = object({ drafts: listOf(storedDraft), calls: listOf(storedCall), favourites: listOf(storedCall) });
type Stored = ReadOf<typeof stored>;

/** Drafts, recent calls and favourites of the argument form, in the state of the workspace. */
export class FormStorage {
  readonly #state: StoredState;
  #content: Stored;

  constructor(state: StoredState) {
    this.#state = state;
    this.#content = tryRead(stored, state.get<unknown>(STORED)) ?? { drafts: [], calls: [], favourites: [] };
  }

  draftOf(key: string): StoredDraft | undefined {
    return this.#content.drafts.find((it) => it.key === key);
  }

  /** Stores a draft. Resolves when the editor has it. */
  async saveDraft(draft: StoredDraft): Promise<void> {
    const others = this.#content.drafts.filter((it) => it.key !== draft.key);
    const isStorable = JSON.stringify(draft).length <= LONGEST;
    await this.#write({ drafts: [...(isStorable ? [draft] : []), ...others].slice(0, MOST_DRAFTS) });
  }

  /** Returns the calls of a function, newest first. */
  callsOf(subject: string): readonly StoredCall[] {
    return this.#content.calls.filter((it) => it.subject === subject);
  }

  favouritesOf(subject: string): readonly StoredCall[] {
    return this.#content.favourites.filter((it) => it.subject === subject);
  }

  async addCall(call: StoredCall): Promise<void> {
    const same = (it: StoredCall) => it.subject === call.subject;
    const isEqual = (it: StoredCall) => same(it) && valuesText(it) === valuesText(call);
    const others = this.#content.calls.filter((it) => !isEqual(it));
    const dropped = new Set(others.filter(same).slice(MOST_CALLS_OF_FUNCTION - 1));
    await this.#write({ calls: [call, ...others.filter((it) => !dropped.has(it))].slice(0, MOST_CALLS) });
  }

  /** Stores a favourite under its name, which replaces one of that name. */
  async addFavourite(favourite: StoredCall): Promise<void> {
    const others = this.#content.favourites.filter(
      (it) => it.subject !== favourite.subject || it.name !== favourite.name,
    );
    await this.#write({ favourites: [favourite, ...others].slice(0, MOST_FAVOURITES) });
  }

  async removeFavourite(favourite: StoredCall): Promise<void> {
    await this.#write({ favourites: this.#content.favourites.filter((it) => it !== favourite) });
  }

  async #write(changed: Partial<Stored>): Promise<void> {
    this.#content = { ...this.#content, ...changed };
    await this.#state.update(STORED, this.#content);
  }
}

function valuesText({ values, extras }: StoredCall): string {
  return JSON.stringify([values, extras]);
}
