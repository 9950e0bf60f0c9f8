import assert from "node:assert/strict";
import { printJson } from "../../packages/tron/src/primitives/json.ts";
import { loadRpcExchanges, RpcReplay } from "../support/recorded/rpc-replay.ts";

/** Requests whose answers differ, and why. */
const KNOWN: readonly { readonly request: RegExp; readonly reason: string }[] = [
  { request: /"web3_clientVersion"/, reason: "the recorded node was built without its version" },
  { request: /"eth_coinbase"|"eth_mining"/, reason: "the recorded node produces blocks with a key of its own" },
];

const KNOWN_482: typeof KNOWN = [
  ...KNOWN.slice(1),
  {
    request:
      /TransactionCountByNumber","params":\["<td?2?:|AndIndex","params":\["<t2:\w+>","0xff"|"eth_getLogs","params":\[\{\}\]|"address":null/,
    reason: "other runs sent transactions into the same blocks of the recorded chain",
  },
  { request: /"tokenId":1000001/, reason: "other runs had issued a token on the recorded chain" },
];

describe("JSON-RPC of the embedded chain", () => {
  const isAsRecorded = async (version: "4.8.0" | "4.8.2", knownCount: number): Promise<void> => {
    const exchanges = loadRpcExchanges(version);
    const deployment = exchanges.find(({ request }) => /"eth_estimateGas".*"data":"0x60c0/.test(request));
    const initCode = /"data":"0x([0-9a-f]+)"/.exec(deployment?.request ?? "")?.[1] ?? "";
    const replay = await RpcReplay.prepare(initCode, version);
    const differing: string[] = [];
    const reasons = version === "4.8.0" ? KNOWN : KNOWN_482;
    let known = 0;
    for (const exchange of exchanges) {
      const { here, there } = await replay.compare(exchange);
      try {
        assert.deepEqual(here, there);
      } catch {
        if (reasons.some(({ request }) => request.test(exchange.request))) known += 1;
        else differing.push(`${exchange.request.slice(0, 400)}\n  node ${printJson(there)}\n  here ${printJson(here)}`);
      }
    }
    assert.equal(differing.length, 0, `${differing.length} differ:\n${differing.join("\n")}`);
    assert.equal(exchanges.length, 635);
    assert.equal(known, knownCount);
  };

  it("N3: answers every recorded request as the real node did", async () => {
    await isAsRecorded("4.8.0", 9);
  }).timeout(30_000);

  it("N5: answers every request as java-tron 4.8.2 did", async () => {
    await isAsRecorded("4.8.2", 14);
  }).timeout(30_000);
});
