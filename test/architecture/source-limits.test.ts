import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const MAXIMUM_LINES = 400;

const files = globSync(["src/**/*.ts", "media/**/*.ts"], { cwd: root }).filter((file) => !file.includes("/gen/"));
const text = (file: string): string => readFileSync(join(root, file), "utf8");

describe("the sources", () => {
  it(`have at most ${MAXIMUM_LINES} lines a file`, () => {
    const long = files.filter((file) => text(file).trimEnd().split("\n").length > MAXIMUM_LINES);

    assert.ok(files.length > 20, `only ${files.length} files were seen`);
    assert.deepEqual(long, []);
  });

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
