/**
 * Messages between the argument form's page and panel. Types only: nothing of this file exists at run time. The panel
 * parses and validates, the page only displays. All values are display text, and none contains a secret.
 */
import type { Tone } from "./timeline.ts";

/** A value of a choice or a unit, with its label. */
export interface FormChoice {
  readonly value: string;
  readonly label: string;
}

/** A value that the field offers while the user types. */
export interface FormSuggestion extends FormChoice {
  readonly note: string;
}

/** Validation message of a field, or its value in another form. */
export interface FieldMessage {
  readonly tone: Tone;
  readonly text: string;
}

/** Changes to the rows and the form of a field. */
export type FieldChange = "add" | "remove" | "as-json" | "as-fields";

export interface FieldButton {
  readonly change: FieldChange;
  readonly label: string;
  readonly icon: string;
}

/**
 * A field of the form. `line` is one line of text, `text` several lines, `choice` a list to choose from, `group` a
 * struct or an array with the fields in `children`.
 */
export interface FormField {
  /** Path of the value, such as `a.0.2`. */
  readonly id: string;
  readonly label: string;
  /** Solidity type; empty for fields of the transaction. */
  readonly type: string;
  readonly control: "line" | "text" | "choice" | "group";
  readonly value: string;
  readonly example: string;
  readonly isRequired: boolean;
  readonly choices: readonly FormChoice[];
  /** Units of an amount; empty if the field has none. */
  readonly units: readonly FormChoice[];
  readonly unit: string;
  /** Recent values. */
  readonly recent: readonly FormSuggestion[];
  /** True if the names of addresses complete the value. */
  readonly isAddress: boolean;
  readonly message: FieldMessage | null;
  readonly buttons: readonly FieldButton[];
  readonly children: readonly FormField[];
}

export interface FormSection {
  readonly id: string;
  readonly title: string;
  readonly isFolded: boolean;
  readonly fields: readonly FormField[];
}

export type FormAction =
  | "submit"
  | "estimate"
  | "repeat"
  | "fill"
  | "favourite"
  | "save-call-file"
  | "copy-result"
  | "show-transaction"
  | "again";

export interface FormButton {
  readonly action: FormAction;
  readonly label: string;
  readonly icon: string;
  readonly isPrimary: boolean;
  readonly isDisabled: boolean;
}

/** State of the form in one sentence. */
export interface FormStatus {
  readonly tone: Tone;
  readonly icon: string;
  readonly text: string;
}

/** A returned value. */
export interface FormResult {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** Content of the page. */
export interface ArgumentForm {
  /** Identifies the form; the page stores it for the next session. */
  readonly key: string;
  readonly title: string;
  readonly network: string;
  readonly isProduction: boolean;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly sections: readonly FormSection[];
  /** Names of addresses. */
  readonly names: readonly FormSuggestion[];
  readonly fillButtons: readonly FormButton[];
  readonly buttons: readonly FormButton[];
  readonly status: FormStatus | null;
  readonly results: readonly FormResult[] | null;
}

export type ToArgumentsPage =
  /** Shows the whole form. `revision` is that of the last message of the page. */
  | {
      readonly kind: "show";
      readonly revision: number;
      readonly form: ArgumentForm;
      /** Field to focus. */
      readonly focus: string | null;
    }
  /** Updates the messages below the fields while the user types. */
  | {
      readonly kind: "checks";
      readonly messages: readonly { readonly id: string; readonly message: FieldMessage | null }[];
      readonly status: FormStatus | null;
    };

export type FromArgumentsPage =
  /** The page is ready for messages. */
  | { readonly kind: "ready" }
  /** Each further message counts `revision` up, so that the page recognizes content that is older than its fields. */
  | { readonly kind: "refresh"; readonly revision: number }
  | { readonly kind: "edit"; readonly revision: number; readonly id: string; readonly text: string }
  | { readonly kind: "unit"; readonly revision: number; readonly id: string; readonly unit: string }
  | { readonly kind: "change"; readonly revision: number; readonly id: string; readonly change: FieldChange }
  | { readonly kind: "act"; readonly revision: number; readonly action: FormAction };
