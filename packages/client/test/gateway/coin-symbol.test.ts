import assert from "node:assert/strict";
import { networkPresets } from "../../../../src/features/networks/presets.ts";
import { coinSymbolOf } from "../../src/gateway/coin-symbol.ts";

describe("the symbol of a network's coin", () => {
  it("U19: is TRX on the networks of TronGrid, and unknown on every other", () => {
    const symbols = networkPresets.map(({ id, profile }) => [id, coinSymbolOf(profile.baseUrl)]);

    assert.deepEqual(symbols, [
      ["gateway", undefined],
      ["trongrid-mainnet", "TRX"],
      ["trongrid-shasta", "TRX"],
      ["trongrid-nile", "TRX"],
      ["tre", undefined],
      ["node", undefined],
    ]);
    assert.equal(coinSymbolOf("https://api.trongrid.io./jsonrpc"), "TRX");
    for (const url of ["https://trongrid.io.evil.example", "https://eviltrongrid.io", "nonsense", "", undefined])
      assert.equal(coinSymbolOf(url), undefined, url);
  });
});
