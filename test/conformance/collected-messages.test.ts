import assert from "node:assert/strict";
import { loadDictionary } from "../../packages/client/src/explain/documented-sources.ts";
import type { AbiIndex } from "../../packages/tron/src/abi/abi-index.ts";
import {
  alarmsIn,
  heldBackTexts,
  mistakesIn,
  notYet,
  openTexts,
  ordinaryTexts,
} from "../support/explanations/collected-messages.ts";

let abi: AbiIndex;

before(async () => {
  abi = await loadDictionary();
});

describe("texts that programs print of a chain", () => {
  const texts = [...openTexts(), ...heldBackTexts()];
  const known = new Set(notYet().open);

  it("are each explained as an expert of the node would", () => {
    const wrong = texts.flatMap((text) => {
      const mistakes = mistakesIn(text, abi);
      return mistakes.length === 0 ? [] : [{ ...text, mistakes }];
    });
    const tools = new Set(texts.map(({ tool }) => tool)).size;
    process.stdout.write(`      wild: ${texts.length - wrong.length} of ${texts.length} right, ${tools} tools\n`);

    const ids = new Set(wrong.map(({ id }) => id));
    const unforeseen = wrong.filter(({ id }) => !known.has(id));
    assert.deepEqual(
      unforeseen.map(({ id, tool, what, mistakes }) => `${id} ${tool}, ${what}: ${mistakes.join("; ")}`),
      [],
    );
    assert.deepEqual(
      [...known].filter((id) => !ids.has(id)),
      [],
      "right now: take them out of not-yet.json",
    );
  });

  it("come from many tools, most of them from runs, each once", () => {
    assert.ok(texts.length >= 300, String(texts.length));
    assert.ok(new Set(texts.map(({ tool }) => tool)).size >= 25);
    assert.ok(texts.filter(({ origin }) => origin === "run").length > texts.length / 2);
    assert.equal(new Set(texts.map(({ id }) => id)).size, texts.length);
    assert.equal(new Set(texts.map(({ text }) => text)).size, texts.length);
  });
});

describe("texts of programs that have nothing to do with a chain", () => {
  const texts = ordinaryTexts();
  const known = new Set(notYet().ordinary);

  it("are no failure of a chain: not as a whole, not in a line, not as an answer", () => {
    const alarmed = texts.flatMap((text) => {
      const alarms = alarmsIn(text, abi);
      return alarms.length === 0 ? [] : [{ ...text, alarms }];
    });
    process.stdout.write(`      ordinary: ${texts.length - alarmed.length} of ${texts.length} without a false alarm\n`);

    const ids = new Set(alarmed.map(({ id }) => id));
    const unforeseen = alarmed.filter(({ id }) => !known.has(id));
    assert.deepEqual(
      unforeseen.map(({ id, tool, what, alarms }) => `${id} ${tool}, ${what}: ${alarms.join("; ")}`),
      [],
    );
    assert.deepEqual(
      [...known].filter((id) => !ids.has(id)),
      [],
      "silent now: take them out of not-yet.json",
    );
    assert.ok(texts.length >= 150, String(texts.length));
  });
});
