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

describe("collected error messages of tools", () => {
  const texts = [...openTexts(), ...heldBackTexts()];
  const known = new Set(notYet().open);

  it("are explained as expected", () => {
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

  it("come from many tools, mostly from real runs, without duplicates", () => {
    assert.ok(texts.length >= 300, String(texts.length));
    assert.ok(new Set(texts.map(({ tool }) => tool)).size >= 25);
    assert.ok(texts.filter(({ origin }) => origin === "run").length > texts.length / 2);
    assert.equal(new Set(texts.map(({ id }) => id)).size, texts.length);
    assert.equal(new Set(texts.map(({ text }) => text)).size, texts.length);
  });
});

describe("ordinary texts", () => {
  const texts = ordinaryTexts();
  const known = new Set(notYet().ordinary);

  it("are not reported as failures of a chain", () => {
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
