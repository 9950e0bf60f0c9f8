import assert from "node:assert/strict";
import { namespaceSlot } from "../../src/contracts/namespaced-storage.ts";

describe("namespaceSlot", () => {
  it("returns the slot that ERC-7201 documents", () => {
    const documented = 0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500n;
    assert.equal(namespaceSlot("erc7201:example.main"), documented);
  });

  it("returns undefined for other locations", () => {
    assert.equal(namespaceSlot("other:example.main"), undefined);
    assert.equal(namespaceSlot("erc7201:"), undefined);
  });
});
