import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { namespaceSlot } from "../../src/contracts/namespaced-storage.ts";

describe("namespaceSlot", () => {
  it("returns the slot that ERC-7201 documents", () => {
    const documented = 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500n;
    assert.equal(namespaceSlot("erc7201:example.main"), documented);
  });

  it("hashes names of any length", () => {
    const id = "a.long.name.of.a.namespace.".repeat(10);
    const slot = namespaceSlot(`erc7201:${id}`);
    const hash = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(keccak_256(bytes)).toString("hex")}`);
    const word = Buffer.from((hash(Buffer.from(id)) - 1n).toString(16).padStart(64, "0"), "hex");
    assert.equal(slot, (hash(word) >> 8n) << 8n);
  });

  it("returns undefined for other locations", () => {
    assert.equal(namespaceSlot("other:example.main"), undefined);
    assert.equal(namespaceSlot("erc7201:"), undefined);
  });
});
