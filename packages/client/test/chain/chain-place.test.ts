import assert from "node:assert/strict";
import { shortChainId } from "../../../tron/src/errors/chain-error.ts";
import { parseChainId } from "../../src/chain/chain-place.ts";

const GENESIS = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";

describe("parseChainId", () => {
  it("takes the id of a genesis block, in either case", () => {
    assert.equal(parseChainId(GENESIS), GENESIS);
    assert.equal(parseChainId(GENESIS.toUpperCase()), GENESIS);
  });

  it("refuses the id of any other block, and what is no id", () => {
    const others = [GENESIS.replace(/^0{16}/, "0000000000000001"), GENESIS.slice(2), `${GENESIS}00`, "", "genesis"];
    assert.deepEqual(
      others.map((it) => parseChainId(it)),
      others.map(() => undefined),
    );
  });

  it("is told apart by the digits after the height", () => {
    assert.equal(shortChainId(GENESIS), "1ebf88508a03");
  });
});
