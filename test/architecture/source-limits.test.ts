import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

const files = globSync(["{src,packages/*/src}/**/*.ts", "media/**/*.ts"], { cwd: root }).filter(
  (file) => !file.includes("/gen/"),
);
const text = (file: string): string => readFileSync(join(root, file), "utf8");

describe("the sources", () => {
  it("have no barrel and no folder of leftovers", () => {
    const vague = files.filter(
      (file) => basename(file) === "index.ts" || /\/(utils?|helpers?|common|misc)(\/|\.ts$)/.test(file),
    );

    assert.deepEqual(vague, []);
  });

  it("never evaluate text as code", () => {
    const evaluating = files.filter((file) => /\beval\s*\(|new Function\s*\(/.test(text(file)));

    assert.deepEqual(evaluating, []);
  });
});
