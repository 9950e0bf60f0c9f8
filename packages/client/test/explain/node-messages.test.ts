import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { explain } from "../../src/explain/explain.ts";
import type { Category } from "../../src/explain/explanation.ts";
import { messageEntries } from "../../src/explain/messages/catalogue.ts";

interface NodeMessage {
  readonly answer: "broadcast" | "Error" | "info" | "call";
  readonly code: string;
  readonly message: string;
}

const file = new URL("../../../../test/fixtures/explanations/node-messages.json", import.meta.url);
const messages = JSON.parse(readFileSync(file, "utf8")) as readonly NodeMessage[];
const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");

function answerOf({ answer, code, message }: NodeMessage): string {
  switch (answer) {
    case "Error":
      return JSON.stringify({ Error: message });
    case "broadcast":
      return JSON.stringify({ code, txid: "ab".repeat(32), message: hex(message) });
    case "call":
      return JSON.stringify({ result: { code, message: hex(message) } });
    case "info":
      return JSON.stringify({
        id: "ab".repeat(32),
        contractResult: [code === "REVERT" ? `4e487b71${"1".padStart(64, "0")}` : ""],
        receipt: { result: code },
        result: "FAILED",
        resMessage: hex(message),
      });
  }
}

function categoryOf({ answer, code, message }: NodeMessage): Category {
  if (/lack of computing|unavailable due to config/.test(message)) return "http";
  return answer === "info" ||
    (code === "CONTRACT_EXE_ERROR" && answer === "call") ||
    message.includes("vm.program.Program$")
    ? "execution"
    : "validation";
}

describe("explain node messages", () => {
  for (const message of messages) {
    it(`S107 ${message.answer}: ${message.message.slice(0, 110)}`, () => {
      const explanation = explain(answerOf(message));

      assert.equal(explanation.code, message.code);
      assert.equal(explanation.category, categoryOf(message));
      assert.doesNotMatch(explanation.entry, /^(generic|code|result)-/);
      assert.doesNotMatch(`${explanation.title} ${explanation.cause} ${explanation.fix}`, /\{[a-z]+\}/i);
    });

    it(`returns the same for the bare text: ${message.message.slice(0, 100)}`, () => {
      const whole = explain(answerOf(message)).entry;
      const expected = whole.startsWith("revert-") ? "vm-revert" : whole;

      assert.equal(explain(message.message).entry, expected);
      assert.equal(explain(hex(message.message)).entry, expected);
    });
  }

  it("has unique entry IDs, and texts with declared placeholders only", () => {
    const ids = messageEntries.map(({ id }) => id);
    const gaps = (text: string): readonly string[] =>
      [...text.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = ""]) => name);

    assert.equal(new Set(ids).size, ids.length);
    for (const { id, texts, title, cause, fix } of messageEntries) {
      for (const text of texts) {
        const missing = gaps(`${title} ${cause} ${fix}`).filter((name) => !gaps(text).includes(name));
        assert.deepEqual(missing, [], `${id}: ${text}`);
      }
    }
  });
});
