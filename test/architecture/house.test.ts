import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { measureHouse } from "../../scripts/check/house.mjs";

const FILES = {
  "src/core/a/first.ts": [
    'import { second } from "../b/second.ts";',
    "export function uncommented(value: any): number {",
    "  return second(value)!;",
    "}",
    "/** Has a comment. */",
    "export const unwanted = (it: string) => it as unknown as number;",
  ],
  "src/core/b/second.ts": [
    'import { uncommented } from "../a/first.ts";',
    "/** Has a comment. */",
    "export const second = (sceneOf: number) => (sceneOf > 0 ? uncommented(sceneOf) : undefined);",
  ],
  "src/core/b/long.ts": Array.from({ length: 401 }, (_, line) => `const line${line} = ${line};`),
  "test/scene.test.ts": ["const told = 1;"],
};

describe("the figures of the house", () => {
  it("show each kind of place that is to be there no more", () => {
    const root = mkdtempSync(join(tmpdir(), "finality-house-"));
    for (const [file, lines] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), lines.join("\n"));
    }

    const figures = new Map(measureHouse(root).map(({ name, value, where }) => [name, where ?? value]));
    rmSync(root, { recursive: true });

    assert.deepEqual(Object.fromEntries(figures), {
      files: 3,
      "lines of a file, median": 6,
      "lines of a file, maximum": 401,
      "files of more than 400 lines": ["src/core/b/long.ts"],
      "lines of a function, median": 1,
      "lines of a function, p90": 3,
      "lines of a function, maximum": 3,
      "imports per 1,000 lines": 5,
      "pairs of folders that import each other": ["src/core/a and src/core/b"],
      any: ["src/core/a/first.ts:2"],
      "!": ["src/core/a/first.ts:3"],
      "as unknown as": ["src/core/a/first.ts:6"],
      "exported functions of core without a comment": ["src/core/a/first.ts:2"],
      "exports without an importer": ["src/core/a/first.ts unwanted"],
      "exports that only tests import": ["src/core/a/first.ts unwanted"],
      "banned words in names of the sources": ["src/core/b/second.ts sceneOf"],
      "banned words in names of the tests": ["test/scene.test.ts (file) scene", "test/scene.test.ts told"],
    });
  });
});
