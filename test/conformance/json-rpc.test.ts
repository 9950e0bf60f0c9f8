import assert from "node:assert/strict";
import { printJson } from "../../packages/tron/src/primitives/json.ts";
import { loadRpcExchanges, RpcReplay } from "../support/recorded/rpc-replay.ts";

/** Requests whose answers differ, and why. */
const KNOWN: readonly { readonly request: RegExp; readonly reason: string }[] = [
  { request: /"web3_clientVersion"/, reason: "the recorded node was built without its version" },
  { request: /"eth_coinbase"|"eth_mining"/, reason: "the recorded node produces blocks with a key of its own" },
];

describe("JSON-RPC of the embedded chain", () => {
  it("N3: answers every recorded request as the real node did", async () => {
    const exchanges = loadRpcExchanges();
    const deployment = exchanges.find(({ request }) => /"eth_estimateGas".*"data":"0x60c0/.test(request));
    const initCode = /"data":"0x([0-9a-f]+)"/.exec(deployment?.request ?? "")?.[1] ?? "";
    const replay = await RpcReplay.prepare(initCode);
    const differing: string[] = [];
    let known = 0;
    for (const exchange of exchanges) {
      const { here, there } = await replay.compare(exchange);
      try {
        assert.deepEqual(here, there);
      } catch {
        if (KNOWN.some(({ request }) => request.test(exchange.request))) known += 1;
        else differing.push(`${exchange.request.slice(0, 400)}\n  node ${printJson(there)}\n  here ${printJson(here)}`);
      }
    }
    assert.equal(differing.length, 0, `${differing.length} differ:\n${differing.join("\n")}`);
    assert.equal(exchanges.length, 635);
    assert.equal(known, 9);
  }).timeout(30_000);
});
