import assert from "node:assert/strict";
import { numberedWords } from "../../../../src/features/credentials/backup.view.ts";

describe("words to write down", () => {
  it("have their numbers, one in a line", () => {
    assert.equal(numberedWords(["legal", "winner", "thank", "year"]), "1. legal\n2. winner\n3. thank\n4. year");
  });
});
