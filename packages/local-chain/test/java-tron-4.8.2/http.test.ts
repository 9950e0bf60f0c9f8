import assert from "node:assert/strict";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { messageText } from "../../../../test/support/recorded/scenario-views.ts";
import { hexToBytes, transactionId } from "../../../tron/src/primitives/bytes.ts";
import type { Json, JsonObject } from "../../../tron/src/primitives/json.ts";
import { type PrivateKey, signTransactionId } from "../../../tron/src/transaction/signature.ts";

const HIDDEN = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)";
const VALUES = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

/** Messages of a real node about bodies that are no JSON: the text, the place, and the message of 4.8.0. */
const BODIES: readonly (readonly [body: string, message: string, place: string, old: RegExp])[] = [
  ["xyz", `Unrecognized token 'xyz': was expecting ${VALUES}`, "line: 1, column: 4", /illegal state/],
  [
    "{",
    `Unexpected end-of-input: expected close marker for Object (start marker at ${HIDDEN}; line: 1, column: 1])`,
    "line: 1, column: 2",
    /syntax error/,
  ],
  [
    "}",
    `Unexpected close marker '}': expected ']' (for root starting at ${HIDDEN}; line: 1])`,
    "line: 1, column: 1",
    /syntax error/,
  ],
  ['{"a"', "Unexpected end-of-input within/between Object entries", "line: 1, column: 5", /expect ':'/],
  [
    '{"a":}',
    `Unexpected character ('}' (code 125)): expected a valid value ${VALUES}`,
    "line: 1, column: 6",
    /syntax error/,
  ],
  [
    '{"a":1',
    `Unexpected end-of-input: expected close marker for Object (start marker at ${HIDDEN}; line: 1, column: 1])`,
    "line: 1, column: 7",
    /syntax error, position/,
  ],
  ['{"a":"\\q"}', "Unrecognized character escape 'q' (code 113)", "line: 1, column: 8", /unclosed string/],
  [
    '{"a":"\\u00"}',
    "Unexpected character ('\"' (code 34)): expected a hex-digit for character escape sequence",
    "line: 1, column: 11",
    /under radix 16/,
  ],
  [
    '{"a":--1}',
    "Unexpected character ('-' (code 45)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value",
    "line: 1, column: 7",
    /illegal number format/,
  ],
  [
    '{"num":0x10}',
    "Unexpected character ('x' (code 120)): was expecting comma to separate Object entries",
    "line: 1, column: 9",
    /syntax error/,
  ],
  [
    '{"num":NaN}',
    "Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
    "line: 1, column: 11",
    /integer/,
  ],
  [
    "\uFEFF{}",
    `Unexpected character ('\uFEFF' (code 65279 / 0xfeff)): expected a valid value ${VALUES}`,
    "line: 1, column: 1",
    /Expected/,
  ],
];

describe("the HTTP interface of java-tron 4.8.2", () => {
  let chain: TestChain;
  let old: TestChain;

  before(async () => {
    chain = await testChain({ nodeVersion: "4.8.2" });
    old = await testChain({ nodeVersion: "4.8.0" });
  });

  /** Returns the error text of an answer to a body. */
  async function errorOf({ simulation }: TestChain, path: string, body: string): Promise<string> {
    const headers = { "content-type": "application/json" };
    const request = new Request(`http://chain${path}`, { method: "POST", headers, body: Buffer.from(body) });
    const found = await answer(request, path, simulation);
    assert.ok(found.kind === "answer");
    return String((JSON.parse(await found.response.text()) as { Error?: string }).Error);
  }

  for (const [body, message, place, before] of BODIES) {
    it(`reports ${JSON.stringify(body)} with Jackson's message`, async () => {
      const text = `class org.tron.json.JSONException : ${message}\n at ${HIDDEN}; ${place}]`;
      assert.equal(await errorOf(chain, "/wallet/getblockbynum", body), text);
      assert.match(await errorOf(old, "/wallet/getblockbynum", body), before);
    });
  }

  it("takes what its reader is configured for: comments, single quotes, unquoted names, a last comma", async () => {
    for (const body of ["{num:0}", '{"num":0,}', '/* block */{"num":0}']) {
      const text = await errorOf(chain, "/wallet/getaccountresource", body);
      assert.equal(text, "undefined", body);
    }
    assert.equal(await errorOf(chain, "/wallet/getblockbynum", '{"num":0,}'), "undefined");
    assert.match(await errorOf(old, "/wallet/getblockbynum", '{"num":0,}'), /Expected identifier/);
  });

  it("names its own classes in place of fastjson's", async () => {
    const path = "/wallet/getaccountresource";
    assert.match(await errorOf(chain, path, ""), /"org\.tron\.json\.JSONObject\.getString\(String\)"/);
    assert.match(await errorOf(old, path, ""), /"com\.alibaba\.fastjson\.JSONObject\.getString\(String\)"/);
    assert.equal(
      await errorOf(chain, "/wallet/getaccount", "[]"),
      "class org.tron.json.JSONException : can not cast to JSONObject.",
    );
    assert.equal(
      await errorOf(chain, "/wallet/getsignweight", '{"raw_data":[]}'),
      "class org.tron.json.JSONException : Field 'raw_data' is not an object",
    );
  });

  it("refuses values that are nested deeper than 20", async () => {
    const nested = (depth: number): string => `{"x":${"[".repeat(depth)}1${"]".repeat(depth)}}`;
    assert.match(await errorOf(chain, "/wallet/getblockbynum", nested(20)), /Document nesting depth \(21\) exceeds/);
    assert.equal(await errorOf(chain, "/wallet/getblockbynum", nested(19)), "undefined");
    assert.equal(await errorOf(old, "/wallet/getblockbynum", nested(20)), "undefined");
  });

  it("names the field of an address that is none", async () => {
    const body = '{"address":"0OIl","visible":true}';
    const exception = "class org.tron.core.services.http.JsonFormat$ParseException";
    assert.equal(
      await errorOf(chain, "/wallet/getaccount", body),
      `${exception} : 1:12: invalid address for field: protocol.Account.address`,
    );
    assert.equal(
      await errorOf(old, "/wallet/getaccount", body),
      `${exception} : 1:12: INVALID base58 String, Illegal character 0 at 0`,
    );
    const transfer = '{"owner_address":"x","to_address":"y","amount":1,"visible":true}';
    assert.match(
      await errorOf(chain, "/wallet/createtransaction", transfer),
      /: protocol\.TransferContract\.owner_address$/,
    );
  });

  it("closes the interface for shielded transactions", async () => {
    const text =
      "class org.tron.core.exception.ZksnarkException : Shielded transaction API is disabled; set node.allowShieldedTransactionApi=true to enable.";
    for (const path of ["getspendingkey", "getrcm", "scanshieldedtrc20notesbyivk", "getakfromask"]) {
      assert.equal(await errorOf(chain, `/wallet/${path}`, "{}"), text, path);
    }
    assert.equal(await errorOf(old, "/wallet/getspendingkey", "{}"), "undefined");
  });

  it("lists its six parameters, which 4.8.0 does not have", async () => {
    const names = async (it: TestChain): Promise<readonly string[]> => {
      const { chainParameter } = await it.ask("/wallet/getchainparameters");
      return (chainParameter as readonly { key: string }[]).map(({ key }) => key);
    };
    const before = await names(old);
    assert.deepEqual((await names(chain)).slice(before.length), [
      "getAllowTvmSelfdestructRestriction",
      "getProposalExpireTime",
      "getAllowTvmOsaka",
      "getAllowTvmPrague",
      "getAllowHardenResourceCalculation",
      "getAllowHardenExchangeCalculation",
    ]);
  });

  it("prints integers of 64 bits as text when a GET asks for it", async () => {
    const read = async ({ simulation, accounts }: TestChain, path: string): Promise<Record<string, unknown>> => {
      const target = `${path}?int64_as_string=true&visible=true&num=1&address=${accounts[0]?.address}`;
      const found = await answer(new Request(`http://chain${target}`), path, simulation);
      assert.ok(found.kind === "answer");
      return JSON.parse(await found.response.text()) as Record<string, unknown>;
    };
    const account = await read(chain, "/wallet/getaccount");
    assert.equal(account.balance, "10000000000");
    const [{ id, threshold } = {}] = account.active_permission as Record<string, unknown>[];
    assert.deepEqual([id, threshold], [2, "1"]);
    assert.equal((await read(old, "/wallet/getaccount")).balance, 10_000_000_000);
    const { block_header: header } = await read(chain, "/wallet/getblockbynum");
    const { raw_data: raw } = header as { raw_data: Record<string, unknown> };
    assert.deepEqual([raw.number, raw.version], ["1", 36]);
    assert.equal(typeof (await read(chain, "/wallet/getnodeinfo")).beginSyncNum, "number");
  });

  it("names itself in the node's information", async () => {
    const { configNodeInfo } = await chain.ask("/wallet/getnodeinfo");
    assert.equal((configNodeInfo as JsonObject).codeVersion, "4.8.2");
  });

  /** Broadcasts a transfer of the first account. @param signature - replaces the one by the given account */
  async function broadcast(
    it: TestChain,
    by: number,
    change = (signature: string): string => signature,
  ): Promise<JsonObject> {
    const [from, to] = it.accounts;
    const built = await it.ask("/wallet/createtransaction", {
      owner_address: from?.hex ?? "",
      to_address: to?.hex ?? "",
      amount: 1,
    });
    const id = transactionId(hexToBytes(String(built.raw_data_hex)));
    const key = hexToBytes(it.accounts[by]?.privateKey ?? "") as PrivateKey;
    const signed: Json = { ...built, signature: [change(signTransactionId(id, key))] };
    const reply = await it.ask("/wallet/broadcasttransaction", signed);
    return { ...reply, message: messageText(reply.message ?? null) ?? "", id };
  }

  it("names the transaction in place of the signature that does not count", async () => {
    const { code, message, id } = await broadcast(chain, 1);
    const signer = chain.accounts[1]?.address;
    assert.equal(code, "SIGERROR");
    assert.equal(
      message,
      `Validate signature error: ${String(id)} is signed by ${signer} but it is not contained of permission.`,
    );
    assert.match(String((await broadcast(old, 1)).message), /^Validate signature error: [0-9a-f]{130} is signed by/);
  });

  it("refuses signatures that are shorter than 65 bytes or longer than 68", async () => {
    const long = await broadcast(chain, 0, (signature) => `${signature}00000000`);
    assert.deepEqual([long.code, long.message], ["SIGERROR", "Validate signature error: Signature size is 69"]);
    const short = await broadcast(chain, 0, (signature) => signature.slice(2));
    assert.equal(short.message, "Validate signature error: Signature size is 64");
    assert.equal((await broadcast(chain, 0, (signature) => `${signature}000000`)).result, true);
    assert.equal((await broadcast(old, 0, (signature) => `${signature}00000000`)).result, true);
  });

  it("lists only signers that the permission contains, and no more than five", async () => {
    const [from, to] = chain.accounts;
    const ask = async (it: TestChain, signatures: (id: string) => readonly string[]): Promise<JsonObject> => {
      const built = await it.ask("/wallet/createtransaction", {
        owner_address: from?.hex ?? "",
        to_address: to?.hex ?? "",
        amount: 1,
      });
      const id = transactionId(hexToBytes(String(built.raw_data_hex)));
      return await it.ask("/wallet/getapprovedlist", { ...built, signature: signatures(id) });
    };
    const byStranger = (id: string): readonly string[] => [
      signTransactionId(transactionIdOf(id), hexToBytes(to?.privateKey ?? "") as PrivateKey),
    ];
    assert.equal(((await ask(chain, byStranger)).result as JsonObject).code, "PERMISSION_ERROR");
    assert.deepEqual((await ask(old, byStranger)).approved_list, [to?.hex]);
    const six = new Array(6).fill("00".repeat(65)) as string[];
    assert.deepEqual(await ask(chain, () => six), {
      result: { code: "OTHER_ERROR", message: "too many signatures" },
    });
  });
});

function transactionIdOf(id: string): Parameters<typeof signTransactionId>[0] {
  return id as Parameters<typeof signTransactionId>[0];
}
