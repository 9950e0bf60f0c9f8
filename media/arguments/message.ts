import type {
  ArgumentForm,
  FieldButton,
  FieldMessage,
  FormAction,
  FormButton,
  FormChoice,
  FormField,
  FormResult,
  FormSection,
  FormStatus,
  FormSuggestion,
  ToArgumentsPage,
} from "../../src/webview-messages/arguments.ts";
import { byKind, count, flag, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");
const choice = object<FormChoice>({ value: text, label: text });
const suggestion = object<FormSuggestion>({ value: text, label: text, note: text });
const fieldMessage = object<FieldMessage>({ tone, text });
const fieldButton = object<FieldButton>({
  change: oneOf("add", "remove", "as-json", "as-fields"),
  label: text,
  icon: text,
});

const field: Read<FormField> = object<FormField>({
  id: text,
  label: text,
  type: text,
  control: oneOf("line", "text", "choice", "group"),
  value: text,
  example: text,
  isRequired: flag,
  choices: listOf(choice),
  units: listOf(choice),
  unit: text,
  recent: listOf(suggestion),
  isAddress: flag,
  message: orNull(fieldMessage),
  buttons: listOf(fieldButton),
  children: (value) => listOf(field)(value),
});

const actions = [
  "submit",
  "estimate",
  "repeat",
  "fill",
  "favourite",
  "save-call-file",
  "copy-result",
  "show-transaction",
  "again",
] as const satisfies FormAction[];

const button = object<FormButton>({
  action: oneOf(...actions),
  label: text,
  icon: text,
  isPrimary: flag,
  isDisabled: flag,
});
const section = object<FormSection>({ id: text, title: text, isFolded: flag, fields: listOf(field) });
const status = object<FormStatus>({ tone, icon: text, text });
const result = object<FormResult>({ name: text, type: text, value: text });

const form = object<ArgumentForm>({
  key: text,
  title: text,
  network: text,
  isProduction: flag,
  facts: listOf(object<{ name: string; value: string }>({ name: text, value: text })),
  sections: listOf(section),
  names: listOf(suggestion),
  fillButtons: listOf(button),
  buttons: listOf(button),
  status: orNull(status),
  results: orNull(listOf(result)),
});

/**
 * Parses a message from the panel.
 *
 * @throws {TypeError} it does not fit
 */
export const readMessage = byKind<ToArgumentsPage>({
  show: object({ revision: count, form, focus: orNull(text) }),
  checks: object({
    messages: listOf(object<{ id: string; message: FieldMessage | null }>({ id: text, message: orNull(fieldMessage) })),
    status: orNull(status),
  }),
});
