import assert from "node:assert/strict";
import { toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { lookUpQuestion, readLink } from "../../../../src/features/links/link.view.ts";
import { BOB, txId } from "../../../support/tracking/tracked.ts";

const TXID = txId("7");
const read = (path: string, query = "") => readLink({ path, query });

describe("readLink", () => {
  it("reads a transaction, an account and a text for the decoder", () => {
    assert.deepEqual(read(`/transaction/${TXID}`), { kind: "transaction", txId: TXID, network: undefined });
    assert.deepEqual(read(`/transaction/${TXID}/`, "network=Nile & more"), {
      kind: "transaction",
      txId: TXID,
      network: "Nile & more",
    });
    assert.deepEqual(read(`/account/${toBase58(BOB)}`, "network=Nile"), {
      kind: "account",
      address: BOB,
      network: "Nile",
    });
    assert.deepEqual(read("/decoder", "text=a=b&network=c"), { kind: "decoder", text: "a=b&network=c" });
  });

  for (const [path, query, reason] of [
    ["/transaction/7f3a", "", /no txID/],
    ["/transaction", "", /no txID/],
    [`/transaction/${TXID}`, "send=true", /does not know/],
    [`/transaction/${TXID}`, "text=x", /does not know/],
    [`/transaction/${TXID}/send`, "", /too many parts/],
    ["/account/Txyz", "", /no address/],
    ["/account/", "", /no address/],
    ["/decoder", "text= ", /no text/],
    ["/decoder", "network=Nile", /does not know/],
    ["/decoder/x", "text=x", /too many parts/],
    ["/send", "", /no page/],
    ["", "", /no page/],
    ["/finality.sendCoins", "text={}", /does not know|no page/],
  ] as const)
    it(`refuses ${path}?${query}`, () => {
      const link = read(path, query);

      assert.equal(link.kind, "refused");
      assert.match("reason" in link ? link.reason : "", reason);
    });

  it("asks with the name of the network in one line and the whole txID as the link's claim", () => {
    const { detail } = lookUpQuestion(TXID, "Nile\nNetwork: Mainnet", true);

    assert.match(
      detail,
      /^Network: Nile Network: Mainnet \(named by the link\)\ntxID, as the link claims: [0-9a-f]{64}\n/,
    );
  });
});
