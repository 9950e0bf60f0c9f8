import { readFileSync } from "node:fs";
import { messageEntries } from "../../../packages/client/src/explain/messages/catalogue.ts";

const folder = new URL("../../fixtures/explanations/", import.meta.url);
const messagesOf = (file: string): readonly string[] =>
  (JSON.parse(readFileSync(new URL(file, folder), "utf8")) as readonly { readonly message: string }[]).map(
    ({ message }) => message,
  );

const SAMPLES: { readonly [gap: string]: string } = {
  line: "1",
  column: "17",
  account: "41dd791d6b49e190062d650e6a23c575510d35f2f9",
  address: "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp",
  limit: "250000000",
  name: "ALLOW_TVM_VOTE",
  rest: "so and so",
};

/** The text of an entry with an example in each of its gaps; a bracket that it leaves open is closed. */
function filled(text: string): string {
  const closing = /\([^)]*$/.test(text) ? ")" : "";
  return text.replace(/\{([A-Za-z]+)\}/g, (_gap, name: string) => SAMPLES[name] ?? `some-${name}`) + closing;
}

/** Every message of the fixtures, with the words before it with which the node refuses, and every text of the catalogue. */
export function catalogueMessages(): readonly string[] {
  const validations = messagesOf("validation-messages.json");
  const prefixed = validations.map((message) => `Contract validate error : ${message}`);
  const files = [...messagesOf("node-messages.json"), ...validations, ...prefixed];
  return [...new Set([...files, ...messageEntries.flatMap(({ texts }) => texts.map(filled))])];
}
