import assert from "node:assert/strict";
import fc from "fast-check";
import {
  BROADCAST_CODES,
  classifyBroadcastCode,
  decodeNodeMessage,
  isBroadcastCode,
  parseNodeFault,
} from "../../src/node-messages/node-message.ts";

const hexOf = (text: string): string => Buffer.from(text, "utf8").toString("hex");

describe("decodeNodeMessage", () => {
  it("S112 decodes messages of hex pairs that are UTF-8, including plain text that is both", () => {
    const cases = [
      ["5472616e73616374696f6e2065787069726564", "Transaction expired"],
      ["5472616E73616374696F6E2065787069726564", "Transaction expired"],
      ["5472616e73616374696f6e206578706972656", "5472616e73616374696f6e206578706972656"],
      ["", ""],
      ["0x41", "0x41"],
      ["Dup transaction.", "Dup transaction."],
      [hexOf("余额不足"), "余额不足"],
      ["c328", "c328"],
      ["deadbeef", "deadbeef"],
      ["6162", "ab"],
    ] as const;
    for (const [message, decoded] of cases) assert.equal(decodeNodeMessage(message), decoded);
  });

  it("S33 restores every text that was printed as hex", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        assert.equal(decodeNodeMessage(hexOf(text)), text);
      }),
    );
  });
});

describe("classifyBroadcastCode", () => {
  it("S31 S107 S108 S116 returns not-pooled for codes of transactions that the node did not keep", () => {
    const codes = [
      "SIGERROR",
      "CONTRACT_VALIDATE_ERROR",
      "CONTRACT_EXE_ERROR",
      "BANDWITH_ERROR",
      "TAPOS_ERROR",
      "SERVER_BUSY",
      "TOO_BIG_TRANSACTION_ERROR",
      "TRANSACTION_EXPIRATION_ERROR",
      "NO_CONNECTION",
      "BLOCK_UNSOLIDIFIED",
    ];
    for (const code of codes) assert.equal(classifyBroadcastCode(code, "any"), "not-pooled", code);
  });

  it("S110 recognizes a duplicate by both of its messages", () => {
    for (const text of ["Dup transaction.", "Transaction already exists."]) {
      assert.equal(classifyBroadcastCode("DUP_TRANSACTION_ERROR", text), "already-known");
    }
  });

  it("distinguishes a failed relay from a refusal by the message", () => {
    const code = "NOT_ENOUGH_EFFECTIVE_CONNECTION";
    assert.equal(classifyBroadcastCode(code, "Effective connection:1 lt minEffectiveConnection:3"), "not-pooled");
    assert.equal(classifyBroadcastCode(code, "P2P broadcast failed."), "unknown");
    assert.equal(classifyBroadcastCode(code, "something new"), "unknown");
  });

  it("S31 S111 returns unknown for other codes, including the misspelling BANDWIDTH_ERROR", () => {
    for (const code of ["OTHER_ERROR", "SUCCESS", "BANDWIDTH_ERROR", "", "toString", "SIGERROR "]) {
      assert.equal(classifyBroadcastCode(code, ""), "unknown", code);
    }
  });

  it("S31 S111 knows fourteen codes, with their numbers", () => {
    assert.equal(Object.keys(BROADCAST_CODES).length, 14);
    assert.deepEqual([BROADCAST_CODES.BANDWITH_ERROR, BROADCAST_CODES.OTHER_ERROR], [4, 20]);
    assert.ok(isBroadcastCode("BANDWITH_ERROR") && !isBroadcastCode("BANDWIDTH_ERROR"));
  });
});

describe("parseNodeFault", () => {
  it("splits the Java class from the message", () => {
    const validate = "class org.tron.core.exception.ContractValidateException : Amount must be greater than 0.";
    assert.deepEqual(parseNodeFault(validate), {
      code: "ContractValidateException",
      message: "Amount must be greater than 0.",
    });
    const nested = "class org.tron.core.services.http.JsonFormat$ParseException : 1:1: INVALID hex String";
    assert.deepEqual(parseNodeFault(nested), { code: "ParseException", message: "1:1: INVALID hex String" });
  });

  it("returns a message without a class unchanged", () => {
    const message = "num must be non-positive number.";
    assert.deepEqual(parseNodeFault(message), { code: "Error", message });
  });

  it("accepts any text", () => {
    fc.assert(fc.property(fc.string(), (text) => typeof parseNodeFault(text).message === "string"));
  });
});
