import assert from "node:assert/strict";
import { explain } from "../../src/explain/explain.ts";
import { rangesIn } from "../../src/explain/explained-range.ts";

const unprompted = (text: string): string => explain(text, { isUnprompted: true }).category;

describe("a code that a sentence calls an error", () => {
  const codes: { readonly [sentence: string]: string } = {
    "the broadcast sometimes returns SERVER_BUSY error": "SERVER_BUSY",
    "I got an OTHER_ERROR error when I broadcast the signed transaction": "OTHER_ERROR",
    "an OUT_OF_TIME error during triggering a smart contract": "OUT_OF_TIME",
    "deploying the contract ends with `ILLEGAL_OPERATION` error": "ILLEGAL_OPERATION",
  };
  for (const [sentence, code] of Object.entries(codes))
    it(`is explained when the sentence is about transactions or contracts: ${code}`, () => {
      assert.equal(explain(sentence).code, code);
    });

  it("is not recognised in a sentence about another program", () => {
    const sentences = ["the print queue returns SERVER_BUSY error", "the JVM stopped with an OUT_OF_MEMORY error"];

    assert.deepEqual(
      sentences.filter((sentence) => explain(sentence).category !== "none"),
      [],
    );
  });

  it("is not recognised as the name of a constant", () => {
    assert.equal(explain("const SERVER_BUSY = error(9); // broadcast").category, "none");
  });
});

describe("a failure in a sentence", () => {
  const sentences: { readonly [sentence: string]: string } = {
    "USDT TRC20 transfer: out of energy, four times": "result-OUT_OF_ENERGY",
    "it always says “Not enough energy” although fee_limit is set": "result-OUT_OF_ENERGY",
    "my trc20 contract results in **Illegal Operation**": "result-ILLEGAL_OPERATION",
    "the usdt trc20 transaction revert error appears again": "result-REVERT",
    "broadcast failed, index 0 error": "transaction-empty",
    'Undefined array key "txID" in the TRC20 transfer': "tool-unreadable",
    "Tron: json: cannot unmarshal object into Go struct field Page.error of type string": "topic-answer",
    "the wallet answers with an unrecognized method error": "wallet-unsupported",
    "Amount Too Small: the swap amount is too small": "swap-amount",
  };
  for (const [sentence, entry] of Object.entries(sentences))
    it(`is explained when the user selects it: ${entry}`, () => {
      assert.equal(explain(sentence).entry, entry);
      assert.equal(unprompted(sentence), "none");
      assert.deepEqual(rangesIn(sentence, explain), []);
    });

  it("is not recognised without a trace of the chain", () => {
    const others = ["the robot is out of energy", "SIGILL: illegal operation at 0x10", 'Undefined array key "result"'];

    assert.deepEqual(
      others.filter((text) => explain(text).entry.startsWith("result-") || explain(text).entry === "tool-unreadable"),
      [],
    );
  });
});

describe("an order that an energy rental service refuses", () => {
  const answers: { readonly [answer: string]: string } = {
    '{"detail":{"error":{"code":"INSUFFICIENT_BALANCE","message":"Not enough TRX balance"}}}': "service-balance",
    '{"code":1,"key":"auth","error":"Incorrect token or signature"}': "service-auth",
    '{"code":12,"key":"invalid_duration","error":"Invalid duration"}': "service-order",
    '{"code":24,"key":"address_not_activated","error":"Address not activated"}': "service-inactive",
  };
  for (const [answer, entry] of Object.entries(answers))
    it(`is explained when the user selects it: ${entry}`, () => {
      assert.equal(explain(answer).entry, entry);
    });

  it("has no hover if only its number and key name the service", () => {
    assert.deepEqual(rangesIn('{"code":1,"key":"auth","error":"Incorrect token or signature"}', explain), []);
  });

  it("is not taken for the answer of a node to a broadcast", () => {
    assert.equal(explain('{"code":"INSUFFICIENT_BALANCE","message":"Not enough TRX balance"}').retry.sameBytes, "yes");
  });
});

describe("an object that Python prints", () => {
  it("has its constants", () => {
    const accepted = `{'result': True, 'txid': '${"cd".repeat(32)}', 'code': None}`;
    const refused = `{'result': False, 'txid': '${"cd".repeat(32)}', 'code': 'SIGERROR', 'message': None}`;

    assert.equal(explain(accepted).code, "SUCCESS");
    assert.equal(explain(refused).code, "SIGERROR");
  });
});

describe("the scheduler named Tron", () => {
  it("is no trace of the chain", () => {
    const trace =
      "File \"/opt/venvs/tron/lib/python3.8/site-packages/tron/commands/client.py\", line 74\nKeyError: 'error'";

    assert.equal(explain(trace).category, "none");
  });
});
