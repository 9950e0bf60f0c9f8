import assert from "node:assert/strict";
import type { Block, FoundTransaction, TransactionInfo } from "../../packages/client/src/gateway/gateway.ts";
import { endpoints } from "../../packages/client/src/gateway/http/endpoints.ts";
import { classifyExchange } from "../../packages/client/src/gateway/http/http-exchange.ts";
import { type AnswerParser, readAnswer } from "../../packages/client/src/gateway/wire/answer.ts";
import { parseBlocks, parseOptionalBlock } from "../../packages/client/src/gateway/wire/block.ts";
import { readBroadcast } from "../../packages/client/src/gateway/wire/broadcast.ts";
import { parseFoundTransaction, parseTransactionInfos } from "../../packages/client/src/gateway/wire/transaction.ts";
import { type AnyChainError, isChainError } from "../../packages/tron/src/errors/chain-error.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { hexToBytes, type TxId, transactionId } from "../../packages/tron/src/primitives/bytes.ts";
import { isJsonObject, type Json, type JsonObject, printJson } from "../../packages/tron/src/primitives/json.ts";
import type { BuiltTransaction } from "../../packages/tron/src/transaction/built-transaction.ts";
import { type RecordedExchange as Exchange, type ExchangeFile, loadExchanges } from "../support/recorded/exchanges.ts";

const ENDPOINT = "http://127.0.0.1:8090";
const CONFORMANCE_FILES: readonly ExchangeFile[] = ["createtransaction", "lookups", "broadcast"];
const OTHER_FILES: readonly ExchangeFile[] = [
  ...(["contracts", "node2-configs", "node2-restart", "pending-vs-block", "receipts", "resources"] as const),
];

/** Parser of a path, and the recorded JSON values that its result must contain. */
interface Rule {
  readonly parse: AnswerParser<unknown>;
  readonly expect: (value: never, json: Json, exchange: Exchange) => void;
}

const blockRule: Rule = { parse: parseOptionalBlock, expect: expectBlock };
const blocksRule: Rule = {
  parse: parseBlocks,
  expect: (blocks: readonly Block[], json) => {
    const recorded = list(object(json).block);
    assert.equal(blocks.length, recorded.length);
    for (const [index, it] of recorded.entries()) expectBlock(blocks[index] as never, it);
  },
};
const foundRule: Rule = { parse: parseFoundTransaction, expect: expectFound };
const builtRule: Rule = { parse: endpoints.buildTransfer.parse, expect: expectBuilt };
const anyRule: Rule = { parse: (json) => json, expect: (value: Json, json) => assert.deepEqual(value, json) };

const rules: { readonly [name: string]: Rule } = {
  createtransaction: builtRule,
  createaccount: builtRule,
  accountpermissionupdate: builtRule,
  freezebalancev2: builtRule,
  getnowblock: { parse: endpoints.headBlock.parse, expect: expectBlock },
  getblock: blockRule,
  getblockbynum: blockRule,
  getblockbyid: blockRule,
  getblockbylimitnext: blocksRule,
  getblockbylatestnum: blocksRule,
  gettransactionbyid: { parse: endpoints.headTransaction.parse, expect: expectFound },
  gettransactionfrompending: foundRule,
  gettransactioninfobyid: { parse: endpoints.solidTransactionInfo.parse, expect: expectInfo },
  gettransactioninfobyblocknum: {
    parse: parseTransactionInfos,
    expect: (infos: readonly TransactionInfo[], json) => {
      const recorded = Array.isArray(json) ? (json as readonly Json[]) : [];
      assert.equal(infos.length, recorded.length);
      for (const [index, it] of recorded.entries()) expectInfo(infos[index] as never, it);
    },
  },
  getaccount: {
    parse: endpoints.account.parse,
    expect: (account: { address: string; balance: bigint } | undefined, json) => {
      if (isEmpty(json)) return assert.equal(account, undefined);
      assert.equal(account?.address, parseAddress(String(object(json).address)));
      assert.equal(account?.balance, BigInt(Number(object(json).balance ?? 0)));
    },
  },
  getaccountresource: {
    parse: endpoints.accountResources.parse,
    expect: (resources: { energyLimit: bigint; freeBandwidthUsed: bigint } | undefined, json) => {
      if (isEmpty(json)) return assert.equal(resources, undefined);
      assert.equal(resources?.energyLimit, BigInt(Number(object(json).EnergyLimit ?? 0)));
      assert.equal(resources?.freeBandwidthUsed, BigInt(Number(object(json).freeNetUsed ?? 0)));
    },
  },
  getchainparameters: {
    parse: endpoints.chainParameters.parse,
    expect: (parameters: ReadonlyMap<string, bigint>, json) => {
      const recorded = list(object(json).chainParameter).map(object);
      assert.equal(parameters.size, recorded.length);
      for (const { key, value } of recorded) assert.equal(parameters.get(String(key)), BigInt(Number(value ?? 0)));
    },
  },
  getnodeinfo: {
    parse: endpoints.nodeInfo.parse,
    expect: (info: { head: number; version: string }, json) => {
      assert.ok(String(object(json).block).startsWith(`Num:${info.head},`));
      assert.equal(info.version, object(object(json).configNodeInfo as Json).codeVersion);
    },
  },
};

describe("client, with recorded exchanges", () => {
  it("parses every recorded exchange to its value or error", () => {
    let total = 0;
    for (const file of [...CONFORMANCE_FILES, ...OTHER_FILES]) {
      const exchanges = loadExchanges(file);
      const failures = exchanges.flatMap(mismatch);
      process.stdout.write(
        `      conformance (client): ${file} ${exchanges.length - failures.length} / ${exchanges.length}\n`,
      );
      assert.deepEqual(failures, [], file);
      total += exchanges.length;
    }
    assert.ok(total > 700, String(total));
  });
});

describe("client, with recorded broadcasts", () => {
  const recorded = new Map(loadExchanges("broadcast").map((it) => [it.case, it]));
  const outcomeOf = (name: string) => {
    const exchange = recorded.get(name);
    assert.ok(exchange, name);
    return readBroadcast({ endpoint: ENDPOINT, body: responseText(exchange) }, askedTxId(exchange)).outcome;
  };

  it("S29 S40 S109 S110 S111 returns the outcome of the node's code", () => {
    const duplicate = { kind: "already-known", message: "Dup transaction." };
    const message = "Account resource insufficient error.";
    for (const [names, outcome] of [
      ["ok ok-visible memo-fee creates-account multisig-ok", { kind: "accepted" }],
      ["dup-pending dup-pending-visible broadcasthex-dup same-tx-five-at-once-3", duplicate],
      ["bandwith-error", { kind: "rejected", code: "BANDWITH_ERROR", message }],
    ] as const)
      for (const name of names.split(" ")) assert.deepEqual(outcomeOf(name), outcome, name);
  });

  it("S32 S33 decodes a message printed as hex or as text", () => {
    for (const [name, code, message] of [
      ["signature-missing", "SIGERROR", "Validate signature error: miss sig or contract"],
      ["expired", "TRANSACTION_EXPIRATION_ERROR", "Transaction expired"],
      ["tapos-wrong-hash", "TAPOS_ERROR", "Tapos check error."],
      ["expiration-over-24h", "TRANSACTION_EXPIRATION_ERROR", "Transaction expired"],
    ] as const) {
      assert.deepEqual(outcomeOf(name), { kind: "rejected", code, message }, name);
      assert.deepEqual(outcomeOf(`${name}-visible`), { kind: "rejected", code, message }, `${name}-visible`);
    }
  });

  it("reports a body with Error as rejected", () => {
    const outcome = outcomeOf("malformed-json");
    assert.deepEqual(outcome.kind === "rejected" && outcome.code, "JSONException");
  });
});

/** Returns the name of an exchange that is parsed incorrectly, with the reason. */
function mismatch(exchange: Exchange): readonly string[] {
  try {
    check(exchange);
    return [];
  } catch (error) {
    return [`${exchange.case}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function check(exchange: Exchange): void {
  const body = responseText(exchange);
  const request = { endpoint: ENDPOINT, jwt: false, apiKeyHeader: "X-KEY", tries: 1, now: 0 };
  const answer = { kind: "answer", status: exchange.status, body, date: undefined, retryAfter: undefined } as const;
  const verdict = classifyExchange(answer, request);
  if (exchange.status !== 200) {
    assert.ok(verdict.kind === "failure" && verdict.error.code === "GATEWAY_HTTP_STATUS");
    assert.equal(verdict.error.details.status, exchange.status);
    return;
  }
  assert.equal(verdict.kind, "body");
  const name = exchange.path.split("?")[0]?.split("/").at(-1) ?? "";
  if (name.startsWith("broadcast")) checkBroadcast(exchange, body);
  else checkAnswer(exchange, body, rules[name] ?? anyRule);
}

function checkAnswer(exchange: Exchange, body: string, { parse, expect }: Rule): void {
  const read = (): unknown => readAnswer({ endpoint: ENDPOINT, body }, parse);
  const json = exchange.responseBody;
  const result = isJsonObject(json) && isJsonObject(json.result) ? json.result : {};
  if (body === "") expectError(read, (error) => assert.equal(error.code, "GATEWAY_ANSWER_MALFORMED"));
  else if (isJsonObject(json) && typeof json.Error === "string") expectError(read, refusedWith(json.Error, body));
  else if (typeof result.code === "string" && result.code !== "SUCCESS") {
    expectError(read, (error) => {
      assert.ok(error.code === "NODE_REFUSED" && error.details.code === result.code);
      assert.equal(error.details.message, plain(String(result.message ?? "")));
    });
  } else expect(read() as never, json, exchange);
}

function checkBroadcast(exchange: Exchange, body: string): void {
  const { outcome, txId } = readBroadcast({ endpoint: ENDPOINT, body }, askedTxId(exchange));
  const json = object(exchange.responseBody);
  assert.equal(txId, json.txid);
  const message = plain(String(json.message));
  if (typeof json.Error === "string") assert.equal(outcome.kind, "rejected");
  else if (json.result === true) assert.deepEqual(outcome, { kind: "accepted" });
  else if (json.code === "DUP_TRANSACTION_ERROR") assert.deepEqual(outcome, { kind: "already-known", message });
  else if (json.code === "OTHER_ERROR") assert.equal(outcome.kind, "unknown");
  else assert.deepEqual(outcome, { kind: "rejected", code: json.code, message });
}

function expectError(read: () => unknown, inspect: (error: AnyChainError) => void): void {
  assert.throws(read, (error) => {
    assert.ok(isChainError(error), String(error));
    inspect(error);
    return true;
  });
}

function refusedWith(text: string, body: string): (error: AnyChainError) => void {
  return (error) => {
    assert.ok(error.code === "NODE_REFUSED");
    assert.ok(text.endsWith(error.details.message), text);
    assert.ok(text.includes(error.details.code) || !text.startsWith("class "), text);
    assert.equal(error.details.body, body.length > 2000 ? `${body.slice(0, 1999)}…` : body);
  };
}

function expectBuilt(built: BuiltTransaction, json: Json): void {
  assert.equal(built.txId, object(json).txID);
  assert.equal(transactionId(hexToBytes(built.rawDataHex)), built.txId);
}

function expectFound(found: FoundTransaction | undefined, json: Json): void {
  if (isEmpty(json)) {
    assert.equal(found, undefined);
    return;
  }
  const recorded = object(json);
  const [ret] = list(recorded.ret);
  assert.equal(found?.txId, recorded.txID);
  assert.equal(found?.rawDataHex, recorded.raw_data_hex);
  assert.equal(found?.contractResult, ret === undefined ? undefined : object(ret).contractRet);
  const [contract] = list(object(recorded.raw_data as Json).contract);
  assert.equal(found?.contractType, object(contract as Json).type);
}

function expectInfo(info: TransactionInfo | undefined, json: Json): void {
  if (isEmpty(json)) {
    assert.equal(info, undefined);
    return;
  }
  const recorded = object(json);
  const receipt = isJsonObject(recorded.receipt) ? recorded.receipt : {};
  assert.equal(info?.txId, recorded.id);
  assert.equal(info?.blockNumber, recorded.blockNumber);
  assert.equal(info?.blockTimestamp, recorded.blockTimeStamp);
  assert.equal(info?.fee, BigInt(Number(recorded.fee ?? 0)));
  assert.equal(info?.failed, recorded.result === "FAILED");
  assert.equal(info?.receiptResult, receipt.result);
  assert.equal(info?.energyUsed, BigInt(Number(receipt.energy_usage_total ?? 0)));
  assert.equal(info?.energyFee, BigInt(Number(receipt.energy_fee ?? 0)));
  assert.equal(info?.bandwidthUsed, BigInt(Number(receipt.net_usage ?? 0)));
  assert.equal(info?.bandwidthFee, BigInt(Number(receipt.net_fee ?? 0)));
  assert.equal(info?.contractResult, list(recorded.contractResult)[0] ?? "");
  assert.equal(info?.message, plain(String(recorded.resMessage ?? "")));
}

function expectBlock(block: Block | undefined, json: Json): void {
  if (isEmpty(json)) {
    assert.equal(block, undefined);
    return;
  }
  const recorded = object(json);
  const header = object(object(recorded.block_header as Json).raw_data as Json);
  assert.equal(block?.id, recorded.blockID);
  assert.equal(block?.number, header.number ?? 0);
  assert.equal(block?.timestamp, header.timestamp ?? 0);
  assert.equal(block?.parentId, header.parentHash);
  assert.deepEqual(
    block?.transactions.map((it) => it.txId),
    list(recorded.transactions).map((it) => object(it).txID),
  );
}

/** Returns the txID that the node computed, which differs from the one inside a changed body. */
function askedTxId({ responseBody }: Exchange): TxId {
  return String(object(responseBody).txid ?? "") as TxId;
}

/** Returns the body of a response. */
function responseText({ responseText: text, responseBody }: Exchange): string {
  return text ?? (typeof responseBody === "string" ? responseBody : printJson(responseBody));
}

/** Decodes a message independently of the client: pairs of hex digits are text. */
function plain(message: string): string {
  return /^(?:[0-9a-f]{2})+$/.test(message) ? Buffer.from(message, "hex").toString("utf8") : message;
}

function isEmpty(json: Json): boolean {
  return isJsonObject(json) && Object.keys(json).length === 0;
}

function object(json: Json | undefined): JsonObject {
  assert.ok(isJsonObject(json));
  return json;
}

function list(json: Json | undefined): readonly Json[] {
  assert.ok(json === undefined || Array.isArray(json));
  return (json ?? []) as readonly Json[];
}
