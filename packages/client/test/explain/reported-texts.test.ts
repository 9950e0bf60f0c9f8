import assert from "node:assert/strict";
import { catalogueMessages } from "../../../../test/support/explanations/wrappings.ts";
import { explain } from "../../src/explain/explain.ts";
import { rangeAt, rangesIn } from "../../src/explain/explained-range.ts";
import type { Explanation } from "../../src/explain/explanation.ts";

const BANNER = "Error encountered, bailing. Network state unknown. Review successful transactions manually.";
const isOfChain = () => true;

const entryOf = (text: string): string => explain(text).entry;
const meaning = ({ code, title, cause }: Explanation): string => [code, title, cause].join(" | ");

/** Returns the distinct explanations of a line: whole, by link, and by hover at each word. */
function meaningsOf(line: string): readonly string[] {
  const hovered = [...line.matchAll(/\w+/g)].flatMap(
    ({ index }) => rangeAt(line, index + 1, explain, { isOfChain })?.explanation ?? [],
  );
  const linked = rangesIn(line, explain, isOfChain).map(({ explanation }) => explanation);
  return [...new Set([explain(line), ...hovered, ...linked].map(meaning))];
}

describe("explain tool output around a failure", () => {
  it("W3: returns the cause below a banner with the outcome of the banner", () => {
    const causes = [
      "Error: exceeds block gas limit",
      "connect ECONNREFUSED 127.0.0.1:9090",
      "Error: insufficient funds for gas * price + value",
      "CONTRACT_VALIDATE_ERROR: Contract validate error : Exchange[12] not exists",
    ];
    const outcome = explain(BANNER).retry;

    for (const cause of causes) {
      const alone = explain(cause);
      for (const text of [
        `${BANNER}\n${cause}`,
        `${cause}\n${BANNER}`,
        `${BANNER}\n\n${cause}\n    at deploy.js:1:2`,
      ]) {
        const found = explain(text);
        assert.deepEqual([found.code, found.title, found.cause], [alone.code, alone.title, alone.cause], text);
        assert.deepEqual(found.retry, outcome, text);
        assert.ok(found.fix.includes(alone.fix), text);
      }
      assert.notEqual(alone.entry, "generic-unknown", cause);
    }
    assert.equal(explain(`${BANNER}\nDone.`).entry, "tool-deployment-unknown");
  });

  it("W5: ignores blanks around colons, commas and equals signs", () => {
    const tight = (text: string): string => text.replace(/ *([:,=]) */g, "$1");
    const wide = (text: string): string => text.replace(/ *([:,=]) */g, " $1 ");
    const marked = catalogueMessages().filter((text) => /\w ?[:,=] ?/.test(text) && !/[\d"'[]\s?[,:]/.test(text));
    const wrong = marked.flatMap((text) =>
      [tight(text), wide(text)]
        .filter((other) => entryOf(other) !== entryOf(text) || explain(other).title !== explain(text).title)
        .map((other) => `${other} | ${entryOf(other)} | ${entryOf(text)}`),
    );

    assert.ok(marked.length > 200, String(marked.length));
    assert.deepEqual(wrong, []);
    assert.equal(explain("Contract validate error:Exchange[ 12 ] not exists").cause, "The chain has no pair 12.");
  });

  it("W6: names the protobuf versions when a client cannot read a message", () => {
    for (const text of [
      "rpc error: code = Internal desc = grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data",
      "rpc error: code = Internal desc = grpc: failed to unmarshal the received message proto: wrong wireType = 2 for field Code",
      "13 INTERNAL: Response message parsing error: invalid wire type 7 at offset 12",
      "13 INTERNAL: Request message serialization failure: .protocol.Transaction: object expected",
      "io.grpc.StatusRuntimeException: INTERNAL: Invalid protobuf byte sequence",
    ]) {
      assert.match(explain(text).title, /protobuf/, text);
      assert.doesNotMatch(explain(text).cause, /overloaded/, text);
      assert.equal(explain(text).retry.sameBytes, "yes", text);
    }
  });

  it("W7: returns one explanation for a line of a wallet and a tool", () => {
    assert.equal(
      meaningsOf("User denied transaction signature. -- Reason given: Custom error (could not decode).").length,
      1,
    );
  });

  it("U13: returns one explanation for the code and the message of a line", () => {
    for (const line of [
      "CONTRACT_VALIDATE_ERROR: Contract validate error : Validate TransferContract error, balance is not sufficient.",
      "broadcast failed: CONTRACT_VALIDATE_ERROR, Contract validate error : Exchange[12] not exists",
      "SIGERROR: Validate signature error: sig error",
      "TRANSACTION_EXPIRATION_ERROR Transaction expired",
    ])
      assert.deepEqual(meaningsOf(line), [meaning(explain(line))], line);
  });
});

describe("explain texts of the earlier version", () => {
  it("E1: leaves the outcome open for a truncated answer", () => {
    const built = `{"result":{"result":true},"transaction":{"txID":"${"ab".repeat(32)}","raw_data":{"contract":[{"parameter":{"value":{"data":"70a0`;

    for (const text of [
      built,
      `${built}\ncurl: (18) transfer closed with 1200 bytes remaining to read`,
      `$ curl -s http://127.0.0.1:8090/wallet/triggersmartcontract\n${built}\ncurl: (18) transfer closed with 1 bytes remaining to read`,
      `{"blockID":"${"ab".repeat(32)}","block_header":{"raw_data":{"number":1\ncurl: (18) transfer closed with outstanding read data remaining`,
    ])
      assert.deepEqual([explain(text).code, explain(text).title], ["TRUNCATED_JSON", "The answer is cut off"], text);
  });

  it("E3: ignores stack lines as revert reasons", () => {
    for (const text of [
      "Error: VM Exception while processing transaction: revert    at PromiEvent (/usr/lib/node_modules/truffle/x.js:9:1)",
      "Error: execution reverted: revert    at PromiEvent (/x.js:1:2)",
    ])
      assert.equal(explain(text).code, "EMPTY_REVERT", text);
    assert.equal(
      explain("VM Exception while processing transaction: revert too late    at PromiEvent (/x.js:9:1)").title,
      "Reverted: too late",
    );
  });

  it("E4: reads a revert without a reason under every JSON-RPC code", () => {
    for (const code of [-32000, -32603, 3]) {
      const message = "Error: Transaction reverted without a reason string";
      const found = explain(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }));

      assert.equal(found.title, "Reverted without a reason", String(code));
      assert.equal(found.category, "execution", String(code));
    }
  });

  it("E5: reads node codes behind the tronpy class and Chinese text", () => {
    const codes = [
      ["tronpy.exceptions.UnknownError: ('Error: Index: 0', 'OTHER_ERROR')", "OTHER_ERROR"],
      ["UnknownError: ('Error: Index: 0', 'OTHER_ERROR')", "OTHER_ERROR"],
      ["广播交易失败，提示NO_CONNECTION，请问怎么解决", "NO_CONNECTION"],
      ["tronpy.exceptions.UnknownError: (b'Error: Index: 0', 'OTHER_ERROR')", "OTHER_ERROR"],
      ["错误码为 OTHER_ERROR", "OTHER_ERROR"],
      ["转账时返回 SERVER_BUSY。", "SERVER_BUSY"],
    ] as const;
    for (const [text, code] of codes) assert.equal(explain(text).code, code, text);
  });

  it("E6: reads a short network failure with any prefix and suffix", () => {
    for (const text of [
      "(node:1234) UnhandledPromiseRejectionWarning: Error: timeout of 30000ms exceeded",
      "22:52:35.066 ERROR [main] send - timeout of 30000ms exceeded",
      "Connect Timeout Error (attempted address: api.trongrid.io:443, timeout: 10000ms)",
      "Connect Timeout Error (attempted address: nile.example:443)",
      "ClientCall started after CallOptions deadline was exceeded -9.9 seconds ago, deadline exceeded after 9.9s",
      "DEADLINE_EXCEEDED: ClientCall started after CallOptions deadline was exceeded. Deadline has been exceeded",
      "Caused by: deadline exceeded after 9.998867600s. [closed=[], open=[[buffered_nanos=1]]]",
    ])
      assert.equal(explain(text).title, "No answer in time", text);
    for (const text of ["timeout of 30000ms exceeded", "socket hang up (attempt 3)"])
      assert.equal(rangesIn(text, explain, isOfChain).length, 1, text);
  });
});

describe("explain messages of the gateway document", () => {
  it("G13 G14: names key, algorithm and encoding for a refused signature", () => {
    assert.match(explain("SIGERROR").fix, /key.*algorithm/);
    assert.match(explain("Validate signature error: signature error").fix, /encoding/);
    assert.match(explain("signature error").fix, /^Correct the encoding.*raw_data/);
  });

  it("G15: recommends an expiration in range when it is too far ahead", () => {
    for (const text of ["Transaction expired", "TRANSACTION_EXPIRATION_ERROR"])
      assert.match(explain(text).fix, /too far ahead, .* or rebuild .*valid expiration/, text);

    const farAhead = { expiration: 200_000_000_000, headTime: 0 };
    for (const text of ["Transaction expired", "TRANSACTION_EXPIRATION_ERROR"])
      assert.match(explain(text, farAhead).fix, /same signed bytes.*or rebuild .*expiration in range/, text);
  });

  it("G18: reads messages with and without the wrapper of a contract", () => {
    const wrappers = ["Validate DelegateResource contract error, ", "Validate DelegateResourceContract error, "];
    const rests = [
      "delegateBalance must be greater than or equal to 1 TRX",
      "delegateBalance must be more than 1TRX",
      "Exchange[12] not exists",
      "Invalid ownerAddress!",
      "No contract!",
    ];
    for (const rest of rests)
      for (const wrapper of wrappers)
        for (const prefix of ["", "Contract validate error : "]) {
          const found = explain(prefix + wrapper + rest);
          assert.equal(meaning(found), meaning(explain(prefix + rest)), prefix + wrapper + rest);
        }

    for (const text of [
      "Validate TransferContract error, no OwnerAccount.",
      "Validate Transfer contract error, no OwnerAccount",
      "Validate TransferContract contract error, no OwnerAccount.",
    ])
      assert.equal(entryOf(text), "transfer-no-owner", text);
    assert.match(explain("Validate UpdateSetting contract error, foo bar").cause, /: foo bar\. Often/);
    assert.match(explain("Validate UpdateSetting contract error, foo bar.").cause, /: foo bar\. Often/);
  });
});
