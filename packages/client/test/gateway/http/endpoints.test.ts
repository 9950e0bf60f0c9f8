import assert from "node:assert/strict";
import fc from "fast-check";
import { fakeTxId } from "../../../../../test/support/fakes/fake-gateway.ts";
import { recordedBlock, wireBlock } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import { TEN_PATHS } from "../../../../../test/support/gateway/minimal-gateway.ts";
import { isChainError } from "../../../../tron/src/errors/chain-error.ts";
import { BROADCAST, type Endpoint, endpoints, stateEndpoint } from "../../../src/gateway/http/endpoints.ts";
import { type AnswerParser, readAnswer, readInPieces } from "../../../src/gateway/wire/answer.ts";
import { blocksInPieces } from "../../../src/gateway/wire/block.ts";
import { readBroadcast } from "../../../src/gateway/wire/broadcast.ts";
import { parseTransactionInfo } from "../../../src/gateway/wire/transaction.ts";

const ENDPOINT = "https://api.chain.test";
const PARSERS: readonly AnswerParser<unknown>[] = Object.values(endpoints).map((it) => it.parse);

function read<T>(body: unknown, parse: AnswerParser<T>): T {
  return readAnswer({ endpoint: ENDPOINT, body: typeof body === "string" ? body : JSON.stringify(body) }, parse);
}

function failure(body: unknown, parse: AnswerParser<unknown>) {
  try {
    read(body, parse);
  } catch (error) {
    assert.ok(isChainError(error), String(error));
    return error;
  }
  return assert.fail("it was read");
}

describe("stateEndpoint", () => {
  it("returns no endpoint for a request that does not read the state of a replay", () => {
    const others = [
      "wallet/broadcasttransaction",
      "wallet/broadcasthex",
      "wallet/createtransaction",
      "/wallet/getaccount",
    ];
    const traversals = ["wallet/getaccount/../broadcasthex", "wallet/getaccount?x", "admin", "", "constructor"];
    for (const path of [...others, ...traversals]) assert.equal(stateEndpoint(path, {}), undefined, path);
    for (const method of ["eth_sendRawTransaction", "eth_call", undefined, ["eth_chainId", "eth_accounts"]]) {
      assert.equal(stateEndpoint("jsonrpc", { method: method ?? null }), undefined);
    }
    assert.equal(stateEndpoint("wallet/getaccount", {})?.path, "/wallet/getaccount");
    assert.equal(stateEndpoint("jsonrpc", { method: "eth_getStorageAt" })?.path, "/jsonrpc");
  });
});

describe("endpoint table", () => {
  it("S2 separates the two views by path, and has only the broadcast as a write", () => {
    for (const { path, view, access } of Object.values(endpoints)) {
      assert.equal(path.startsWith("/walletsolidity/"), view === "solid", path);
      assert.equal(access, "read");
    }
  });
});

describe("endpoints beyond the gateway document", () => {
  it("are all others than the ten, each with its purpose", () => {
    const rows = Object.values(endpoints) as readonly Endpoint<never, unknown>[];
    const listed = rows.filter(({ beyond }) => beyond === undefined).map(({ path }) => path);
    assert.deepEqual(new Set([...listed, BROADCAST.path]), new Set(TEN_PATHS));
    for (const { path, beyond } of rows) {
      if (!TEN_PATHS.includes(path)) assert.match(beyond ?? "", /\w/, path);
    }
  });
});

describe("answer parsers", () => {
  it("S106 return a value or a ChainError for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...PARSERS), (json, parse) => {
        try {
          read(json, parse);
        } catch (error) {
          assert.ok(isChainError(error), String(error));
        }
      }),
    );
  });

  it("S106 return an outcome of a broadcast for any JSON, accepted only for a true result", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const { outcome } = readBroadcast({ endpoint: ENDPOINT, body: JSON.stringify(json) }, fakeTxId(1));
        assert.notEqual(outcome.kind, "accepted");
      }),
    );
  });

  it("keep the raw body in the error, shortened", () => {
    const error = failure({ txID: "zz", filler: "x".repeat(5_000) }, endpoints.buildTransfer.parse);
    assert.ok(error.code === "GATEWAY_ANSWER_MALFORMED");
    assert.match(error.message, /txID is not a hash of 64 hex digits/);
    assert.equal(error.details.body.length, 2_000);
  });

  it("recognize refusals of the node by their form", () => {
    const validate = failure(
      { Error: "class a.b.ContractValidateException : no OwnerAccount." },
      endpoints.buildTransfer.parse,
    );
    assert.deepEqual(validate.code === "NODE_REFUSED" && [validate.details.code, validate.details.message], [
      "ContractValidateException",
      "no OwnerAccount.",
    ]);
    const bare = failure({ Error: "id must be legal block hash." }, endpoints.headBlock.parse);
    assert.deepEqual(bare.code === "NODE_REFUSED" && bare.details.code, "Error");
    const hexed = { result: { code: "CONTRACT_EXE_ERROR", message: "524556455254206f70636f6465206578656375746564" } };
    const nested = failure(hexed, endpoints.headBlock.parse);
    assert.deepEqual(nested.code === "NODE_REFUSED" && nested.details.message, "REVERT opcode executed");
    const busy = failure({ Error: "class x.Y : lack of computing resources" }, endpoints.headBlock.parse);
    assert.equal(busy.code, "GATEWAY_RATE_LIMITED");
  });

  it("S25 read an info with the result FAILED as failed with any receipt", () => {
    const info = { id: fakeTxId(1), blockNumber: 5, result: "FAILED", receipt: { result: "SUCCESS" } };
    assert.equal(read(info, parseTransactionInfo)?.failed, true);
    assert.equal(read({ ...info, result: undefined }, parseTransactionInfo)?.failed, false);
  });

  it("S69 read missing fields of an info as 0 or empty", () => {
    const info = read({ id: fakeTxId(1), blockNumber: 5, blockTimeStamp: 9 }, parseTransactionInfo);
    assert.deepEqual(info, {
      txId: fakeTxId(1),
      blockNumber: 5,
      blockTimestamp: 9,
      fee: 0n,
      failed: false,
      contractResult: "",
      message: "",
      energyUsed: 0n,
      energyStaked: 0n,
      energyOfOwner: 0n,
      energyFee: 0n,
      bandwidthUsed: 0n,
      bandwidthFee: 0n,
    });
  });

  it("keep every digit of an int64", () => {
    const address = "410a3a98b458fa3094cc846fe82df15c0509e9df11";
    const account = read(`{"address":"${address}","balance":9223372036854775807}`, endpoints.account.parse);
    assert.equal(account?.balance, 9_223_372_036_854_775_807n);
  });

  it("yield to other work after each block of a range, with the same result", async () => {
    const range = JSON.stringify({ block: [recordedBlock(), recordedBlock()] });
    let turns = 0;
    const turn = async (): Promise<void> => void turns++;
    const inPieces = (body: string) => readInPieces({ endpoint: ENDPOINT, body }, blocksInPieces, turn);

    assert.deepEqual(await inPieces(range), read(range, endpoints.solidBlocks.parse));
    assert.equal(turns, 2);
    const wrong = range.replace(/"number":\d+/, '"number":1');
    await assert.rejects(
      inPieces(wrong),
      (error) => error instanceof Error && error.message === failure(wrong, endpoints.solidBlocks.parse).message,
    );
  });

  it("H2: refuse a block whose ID is not the hash of its header", () => {
    const { blockID, ...block } = wireBlock({ number: 7 });
    for (const id of ["00".repeat(32), `${blockID.slice(0, -1)}${blockID.endsWith("0") ? "1" : "0"}`]) {
      const { message } = failure({ ...block, blockID: id }, endpoints.headBlock.parse);
      assert.match(message, /blockID is not the hash of its header/);
    }
    assert.equal(read({ ...block, blockID }, endpoints.headBlock.parse).number, 7);
  });

  it("refuse text, fractions, negative and excessive numbers as heights", () => {
    for (const number of ["7", 1.5, -1, 2 ** 60]) {
      const { block_header } = wireBlock({ number: 7 });
      const block = { blockID: "00".repeat(32), block_header: { raw_data: { ...block_header.raw_data, number } } };
      assert.equal(failure(block, endpoints.headBlock.parse).code, "GATEWAY_ANSWER_MALFORMED", String(number));
    }
  });

  it("keep the txID of a transaction whose contract cannot be read", () => {
    const block = { ...wireBlock({ number: 0 }), transactions: [{ txID: fakeTxId(3) }] };
    assert.deepEqual(read(block, endpoints.headBlock.parse).transactions, [
      { txId: fakeTxId(3), contractType: "Unknown" },
    ]);
  });
});
