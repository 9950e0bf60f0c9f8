import assert from "node:assert/strict";
import { signatureHover, typedDataHover } from "../../../../src/features/explanations/message-hover.view.ts";

describe("hovers of messages", () => {
  it("show the parts and both forms of a signature, and nothing for other hex", () => {
    const shown = signatureHover(`0x${"12".repeat(32)}${"34".repeat(32)}01`);

    assert.match(shown ?? "", /\*\*Signature\*\* of 65 bytes.*v `1`: the last byte is `1c` for contracts, `01`/s);
    assert.equal(signatureHover(`${"12".repeat(64)}99`), undefined);
  });

  it("say what typed data allow, and their hash", () => {
    const types = { Hello: [{ name: "to", type: "string" }] };
    const json = JSON.stringify({ types, domain: { chainId: 5 }, message: { to: "you" } });

    assert.match(typedDataHover(json) ?? "", /Typed data of the type Hello.*Chain ID `5`.*hash `0x[\da-f]{64}`/s);
  });

  it("name the first fault of typed data, and are absent for other documents", () => {
    const faulty = JSON.stringify({
      types: { T: [{ name: "[x](command:y)", type: "bool" }] },
      domain: {},
      message: {},
    });

    assert.match(typedDataHover(faulty) ?? "", /^The typed data cannot be read at types/);
    assert.equal(typedDataHover('{ "types": 1 }'), undefined);
  });
});
