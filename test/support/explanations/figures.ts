// `node test/support/explanations/figures.ts [--write]`: how many of the texts are explained rightly, by kind, without failing and without a
// word about a single text of the half that is held back. `--write` writes down which open and ordinary texts are wrong today.

import { writeFileSync } from "node:fs";
import { loadDictionary } from "../../../packages/client/src/explain/documented-sources.ts";
import type { AbiIndex } from "../../../packages/tron/src/abi/abi-index.ts";
import {
  alarmsIn,
  type CollectedMessage,
  heldBackTexts,
  mistakesIn,
  type NotYet,
  openTexts,
  ordinaryTexts,
} from "./collected-messages.ts";

function figuresOf(name: string, texts: readonly CollectedMessage[], abi: AbiIndex): string {
  const right = (some: readonly CollectedMessage[]): number =>
    some.filter((text) => mistakesIn(text, abi).length === 0).length;
  const kinds = [...new Set(texts.map(({ expected }) => expected.category))].sort();
  const byKind = kinds.map((kind) => {
    const some = texts.filter(({ expected }) => expected.category === kind);
    return `${kind} ${right(some)} of ${some.length}`;
  });
  const tools = new Set(texts.map(({ tool }) => tool)).size;
  return `${name}: ${right(texts)} of ${texts.length} right, ${tools} tools (${byKind.join(", ")})\n`;
}

function wrongToday(abi: AbiIndex): NotYet {
  const wrong = openTexts().filter((text) => mistakesIn(text, abi).length > 0);
  const alarmed = ordinaryTexts().filter((text) => alarmsIn(text, abi).length > 0);
  return { open: wrong.map(({ id }) => id).sort(), ordinary: alarmed.map(({ id }) => id).sort() };
}

const abi = await loadDictionary();
const today = wrongToday(abi);
const ordinary = ordinaryTexts().length;
process.stdout.write(figuresOf("open", openTexts(), abi));
process.stdout.write(figuresOf("held back", heldBackTexts(), abi));
process.stdout.write(`ordinary: ${ordinary - today.ordinary.length} of ${ordinary} without a false alarm\n`);
if (process.argv.includes("--write")) {
  const file = new URL("../../fixtures/explanations/collected/not-yet.json", import.meta.url);
  writeFileSync(file, `${JSON.stringify(today, null, 2)}\n`);
}
