import assert from "node:assert/strict";
import { mock } from "node:test";
import { ProgressLine } from "../src/progress-line.ts";

const ERASE = "\r\u001b[2K";

describe("progress line", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
  afterEach(() => mock.timers.reset());

  function line(columns: number) {
    const written: string[] = [];
    return { written, progress: new ProgressLine({ columns, write: (text) => written.push(text) }) };
  }

  it("is drawn again in its place, with the newest text and the seconds", () => {
    const { written, progress } = line(80);

    progress.show("pending");
    mock.timers.tick(100);
    progress.show("included: block 7");

    assert.deepEqual(
      written.map((it) => it.replace(/\d+ s/, "N s")),
      [`${ERASE}⠋ pending (N s)`, `${ERASE}⠙ pending (N s)`, `${ERASE}⠹ included: block 7 (N s)`],
    );
  });

  it("is erased before other output, and is not drawn again afterwards", () => {
    const { written, progress } = line(80);

    progress.show("pending");
    progress.erase();
    progress.erase();
    mock.timers.tick(500);

    assert.deepEqual(written.slice(1), [ERASE]);
  });

  it("is shorter than the terminal, and shows no control characters", () => {
    const { written, progress } = line(40);

    progress.show(`unknown: \u001b[31m${"x".repeat(200)}\nsecond line`);

    const [text = ""] = written;
    assert.ok(text.slice(ERASE.length).length < 40, text);
    assert.doesNotMatch(text.slice(ERASE.length), /\p{Cc}/u);
  });
});
