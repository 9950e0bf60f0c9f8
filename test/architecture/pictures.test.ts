import assert from "node:assert/strict";
import { globSync, statSync } from "node:fs";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const MOST_BYTES = 150_000;
/** It is in the package. */
const MOST_BYTES_MOVING = 130_000;

describe("the pictures of the documentation", () => {
  it("are small enough for a page, as they are checked in", () => {
    const files = globSync("docs/images/*", { cwd: root });
    const most = (file: string): number => (basename(file) === "first-minute.webp" ? MOST_BYTES_MOVING : MOST_BYTES);

    assert.ok(files.length > 5);
    assert.deepEqual(
      files.filter((file) => statSync(join(root, file)).size > most(file)),
      [],
    );
  });
});
