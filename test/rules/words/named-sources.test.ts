import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { explainText } from "../../../packages/cli/src/commands/explain-text.ts";
import { documentedSources } from "../../../packages/client/src/explain/documented-sources.ts";

const read = (name: string): readonly { readonly [key: string]: string }[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/explanations/${name}.json`, import.meta.url), "utf8"));

/** Documents that users do not have. */
const UNAVAILABLE = /gateway document|protocol reference|node behaviour|node's validation|^the words of|§/;
const TX_ID = "ab".repeat(32);
/** Values that are no failure, and texts of contracts. */
const VALUES = [
  "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
  "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u",
  TX_ID,
  `00000000${"1".repeat(8)}${"ab".repeat(24)}`,
  "08c379a0",
  `4e487b71${"11".padStart(64, "0")}`,
  "5461706f7320636865636b206572726f722e",
  "SUCCESS",
  "DEFAULT",
  "NOT_ENOUGH_PERMISSION",
  JSON.stringify({ blockID: TX_ID, block_header: { raw_data: { number: 7, timestamp: 1 } } }),
  JSON.stringify({ txID: TX_ID, raw_data: { contract: [{ type: "TransferContract", parameter: { value: {} } }] } }),
  JSON.stringify({ result: { result: true }, constant_result: ["01"], energy_used: 5 }),
  JSON.stringify({ result: false, message: "Invalid address, wrong length" }),
  JSON.stringify({ result: true, txid: TX_ID }),
  "{}",
];

describe("sources of an explanation", () => {
  it("are sections of the documentation or files of the workspace", async () => {
    const texts = [
      ...VALUES,
      ...read("other-exchanges").map(({ input = "" }) => input),
      ...read("node-messages").map(({ code, message = "" }) => JSON.stringify({ code, txid: TX_ID, message })),
      ...read("validation-messages").map(({ message = "" }) => JSON.stringify({ Error: message })),
    ];
    const explained = await Promise.all(texts.map((text) => explainText(text)));
    const sources = explained.flatMap(({ whole, findings }) => [whole, ...findings].flatMap((it) => it.sources));

    assert.ok(new Set(sources).size > 15, `only ${new Set(sources).size} sources`);
    assert.deepEqual(
      sources.filter((it) => UNAVAILABLE.test(it)),
      [],
    );
    const places = Object.values(documentedSources).map(({ page, anchor }) => `${page}#${anchor}`);
    assert.deepEqual(
      sources.filter((it) => /^[a-z]+#/.test(it) && !places.includes(it)),
      [],
    );
  });
});
