import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { explain } from "../../src/explain/explain.ts";

const SOURCES = new URL("../../../../node_modules/tronweb/lib/esm/", import.meta.url);
/** The methods that programs call: the builders of transactions, accounts, contracts, events, providers and helpers. */
const PUBLIC = ["lib/**/*.js", "paramValidator/*.js", "tronweb.js", "utils/{accounts,address,bytes,code,crypto}.js"];
/** Texts that need a TronWeb stack trace to be recognized. */
const SAYS_NOTHING = [
  ...["Not found.", "Failed to execute", "not implemented", "@TODO", "unknown function"],
  ...["Unknown error: 1", "Failed to execute: 1", "Unable to get params: 1"],
];

/** Returns the error texts in a source, with 1 for values. */
function* errorsIn(source: string): Generator<string> {
  for (const [, argument = ""] of source.matchAll(/new Error\(([^;]*)\);/g)) {
    const literals = [...argument.matchAll(/(['"`])((?:\\.|(?!\1).)*)\1/g)].map(([, , text = ""]) => text);
    if (literals.length === 0) continue;
    const text = literals.join("1").replaceAll(/\$\{[^}]*\}/g, "1");
    yield /['"`]\s*$/.test(argument) ? text : `${text}1`;
  }
  for (const [, text = ""] of source.matchAll(/msg: '([^']*)'/g))
    yield text.endsWith(": ") ? `${text}TJRabPrwbZy45` : text;
  for (const [, name, type] of source.matchAll(/name: '([^']*)',\s*type: '([^']*)'/g)) {
    if (type === "positive-integer") yield `${name} must be a positive integer`;
    else if (type !== "notEqual") yield `Invalid ${name}${type === "address" ? " address" : ""} provided`;
  }
}

function messagesOfTronWeb(): readonly string[] {
  const files = PUBLIC.flatMap((pattern) => globSync(pattern, { cwd: SOURCES }));
  const texts = files.flatMap((file) => [...errorsIn(readFileSync(new URL(file, SOURCES), "utf8"))]);
  return [...new Set(texts)].filter((text) => text.trim() !== "" && !SAYS_NOTHING.includes(text));
}

describe("explain TronWeb messages", () => {
  const messages = messagesOfTronWeb();

  it("W14: recognizes all messages as TronWeb throws them", () => {
    assert.ok(messages.length > 130, String(messages.length));
    const silent = messages.filter((text) => explain(`Error: ${text}`).entry.startsWith("generic-"));
    assert.deepEqual(silent, []);
  });

  it("W14: recommends no other transaction when nothing was sent", () => {
    for (const text of messages) {
      const { category, fix, retry } = explain(`Error: ${text}`);
      if (category === "http" || category === "none") continue;
      assert.doesNotMatch(`${fix} ${retry.when ?? ""}`, /send (?:it|the transaction) again|a new transaction/i, text);
    }
  });

  it("W14: reads common words in a stack trace", () => {
    for (const text of ["Not found.", "Failed to execute"]) {
      const trace = `Error: ${text}\n    at Trx.getReward (/home/dev/project/node_modules/tronweb/lib/commonjs/lib/trx.js:1:1)`;
      assert.equal(explain(trace).entry, "tool-answer");
      assert.equal(explain(`Error: ${text}`).category, "none");
    }
  });

  it("W14: names the cause", () => {
    for (const [text, entry] of [
      ["Invalid transaction", "tool-transaction"],
      ["Invalid hex transaction provided", "tool-transaction"],
      ["Invalid vote count provided for SR: TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "tool-argument"],
      ["Invalid receiver address provided", "tool-argument"],
      ["Signature does not match", "tool-signature"],
      [
        'A caller address is required. Set the "from" option or a default address on the TronWeb instance.',
        "tool-not-ready",
      ],
      ["No event server configured", "tool-configuration"],
      ["Receiver address must not be the same as owner address", "tool-same-account"],
      ['Contract function "pay" expects 2 argument(s) but received 1.', "client-argument-count"],
      ['ABI fragment not found for function "pay".', "client-no-function"],
      ['Function "pay" is not read-only.', "tool-read-only"],
      ["Failed to build transaction: something new", "tool-answer"],
    ])
      assert.equal(explain(`Error: ${text}`).entry, entry, text);
  });
});
