import assert from "node:assert/strict";
import { candidateFromJson, createAbiIndex, type JsonAbiEntry } from "../../../tron/src/abi/abi-index.ts";
import { topicOf } from "../../../tron/src/abi/abi-signature.ts";
import { functionsOf } from "../../../tron/src/abi/contract-functions.ts";
import { type AbiInput, encodeAbi, encodeCall } from "../../../tron/src/abi/encode-abi.ts";
import { panicData, reasonData } from "../../../tron/src/abi/revert-data.ts";
import { type Address, parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { type Hex, hex } from "../../../tron/src/primitives/bytes.ts";
import { callSitesInCallFile } from "../../src/call-sites/find-call-sites.ts";
import { checkExpectation, type ExpectationDifference } from "../../src/call-tests/check-expectation.ts";
import type { CallOutcome } from "../../src/estimates/estimate-call.ts";
import type { EventLog } from "../../src/gateway/gateway.ts";

const ALICE = parseAddress(`41${"a1".repeat(20)}`);
const BOB = parseAddress(`41${"b0".repeat(20)}`);
const TOKEN = parseAddress(`41${"70".repeat(20)}`);
const ADDRESSES: Readonly<Record<string, Address>> = { Alice: ALICE, Bob: BOB, Token: TOKEN };

const pair = [
  { name: "seller", type: "address" },
  { name: "price", type: "uint256" },
];
const abi: readonly JsonAbiEntry[] = [
  { type: "function", name: "quote", inputs: [], outputs: [...pair, { name: "tags", type: "string[]" }] },
  { type: "function", name: "best", inputs: [], outputs: [{ name: "", type: "tuple", components: pair }] },
  { type: "function", name: "ping", inputs: [], outputs: [] },
  { type: "error", name: "Short", inputs: pair },
  {
    type: "event",
    name: "Sold",
    inputs: [
      { name: "seller", type: "address", indexed: true },
      { name: "price", type: "uint256" },
    ],
  },
];
const names = {
  abi: createAbiIndex(abi.flatMap((entry) => candidateFromJson(entry, "Shop") ?? [])),
  addressOf: (name: string) => ADDRESSES[name],
  nameOf: (address: Address) => Object.keys(ADDRESSES).find((name) => ADDRESSES[name] === address),
};

const [quote, best, ping] = functionsOf(abi);
const QUOTE = encodeAbi(quote?.outputs ?? [], [ALICE, 5n, ["new", "tea"]]);
const returned = (data: Hex = hex(""), ...events: readonly EventLog[]): CallOutcome => ({
  kind: "returned",
  returned: data,
  energy: 1_200n,
  events,
});
const reverted = (data: Hex): CallOutcome => ({ kind: "reverted", data, energy: 900n });
const short = (...values: readonly AbiInput[]): Hex =>
  encodeCall("Short(address,uint256)", functionsOf([{ name: "Short", inputs: pair }])[0]?.parameters ?? [], values);
const sold = (seller: Address, price: bigint): EventLog => ({
  address: TOKEN,
  topics: [topicOf("Sold(address,uint256)"), hex(seller.slice(2).padStart(64, "0"))],
  data: hex(price.toString(16).padStart(64, "0")),
});

describe("expectation of a call", () => {
  /** Returns the differences, each with the text of the file that it marks. */
  function check(expectation: string, outcome: CallOutcome, called = quote): readonly string[] {
    const text = `{ "calls": [{ "contract": "Shop", "function": "f", "expect": ${expectation} }] }`;
    const [site] = callSitesInCallFile(text);
    assert.deepEqual([site?.problem, called === undefined], [undefined, false]);
    if (site?.expect === undefined || called === undefined) return assert.fail();
    const differences = checkExpectation({ called, contract: TOKEN, expect: site.expect }, outcome, names);
    return differences.map(({ range, message }) => `${text.slice(range.start, range.end)} → ${message}`);
  }

  it("accepts a result as a list, by names, and as the only value", () => {
    for (const result of [
      '["Alice", 5, ["new", "tea"]]',
      '["Alice", "0x5", ["new", "tea"]]',
      '{ "price": "5" }',
      '{ "tags": ["new", "tea"], "seller": "Alice" }',
    ])
      assert.deepEqual(check(`{ "result": ${result} }`, returned(QUOTE)), [], result);
    const one = encodeAbi(best?.outputs ?? [], [[BOB, 7n]]);
    assert.deepEqual(check('{ "result": [{ "seller": "Bob", "price": 7 }] }', returned(one), best), []);
    assert.deepEqual(check('{ "result": { "0": ["Bob", 7] } }', returned(one), best), []);
  });

  it("marks each value of a result that differs, with names of accounts", () => {
    assert.deepEqual(check('{ "result": ["Bob", 6, ["new", "tea"]] }', returned(QUOTE)), [
      '"Bob" → seller is Alice, expected Bob.',
      "6 → price is 5, expected 6.",
    ]);
    assert.deepEqual(check('{ "result": { "tags": ["new"] } }', returned(QUOTE)), [
      '["new"] → tags is ["new", "tea"], expected ["new"].',
    ]);
  });

  it("refuses values that the function cannot return", () => {
    assert.deepEqual(check('{ "result": 5 }', returned(QUOTE)), [
      '5 → quote has 3 values, but 1 are expected: seller: Alice, price: 5, tags: ["new", "tea"].',
    ]);
    assert.deepEqual(check('{ "result": { "cost": 5 } }', returned(QUOTE)), [
      '5 → quote has no value "cost". It has: seller, price, tags.',
    ]);
    assert.deepEqual(check('{ "result": { "price": "much" } }', returned(QUOTE)), [
      '"much" → The expected value cannot be used: price: write a whole number, such as 1000000 or 0x2a.',
    ]);
    assert.deepEqual(check('{ "result": 1 }', returned(), ping), [
      '1 → ping returns no value according to its ABI. Remove "result".',
    ]);
    assert.deepEqual(check('{ "result": { "price": 5 } }', returned(hex("00"))), [
      '{ "price": 5 } → The returned data are no result of quote according to its ABI.',
    ]);
  });

  it("requires success unless a revert is expected", () => {
    assert.deepEqual(check("{}", returned()), []);
    assert.deepEqual(check("{}", reverted(reasonData("not open"))), ["{} → The call reverts: “not open”."]);
    assert.deepEqual(check('{ "revert": true }', returned()), [
      "true → The call succeeds, but a revert is expected: any reason.",
    ]);
    assert.deepEqual(check("{}", { kind: "halted", exception: "OutOfTimeException", message: "CPU timeout" }), [
      "{} → The virtual machine stopped the call: OutOfTimeException, CPU timeout.",
    ]);
  });

  it("accepts a revert by any reason, its text, its error and its arguments", () => {
    for (const [expected, data] of [
      ["true", hex("")],
      ['"not open"', reasonData("not open")],
      ['{ "error": "Error", "arguments": ["not open"] }', reasonData("not open")],
      ['{ "error": "Panic", "arguments": [17] }', panicData(17n)],
      ['{ "error": "Short" }', short(ALICE, 3n)],
      ['{ "error": "Short", "arguments": ["Alice", 3] }', short(ALICE, 3n)],
      ['{ "error": "Short", "arguments": { "price": 3 } }', short(ALICE, 3n)],
    ] as const)
      assert.deepEqual(check(`{ "revert": ${expected} }`, reverted(data)), [], expected);
  });

  it("names the actual reason of another revert, and the argument that differs", () => {
    assert.deepEqual(check('{ "revert": "not open" }', reverted(short(ALICE, 3n))), [
      '"not open" → The call reverts for another reason: Short(seller: Alice, price: 3).',
    ]);
    assert.deepEqual(
      check('{ "revert": { "error": "Short", "arguments": ["Alice", 4] } }', reverted(short(ALICE, 3n))),
      ["4 → price is 3, expected 4."],
    );
    assert.deepEqual(check('{ "revert": { "error": "Long" } }', reverted(hex("12345678"))), [
      '{ "error": "Long" } → The call reverts for another reason: the error 0x12345678, which is in no ABI here.',
    ]);
  });

  it("finds the expected events in their order, with others between them", () => {
    const outcome = returned(hex(""), sold(ALICE, 1n), sold(BOB, 2n), sold(ALICE, 3n));
    const event = (more: string): string => `{ "event": "Sold"${more} }`;
    const [first, last] = [event(', "arguments": ["Alice", 1]'), event(', "arguments": { "price": 3 }')];

    assert.deepEqual(check(`{ "events": [${first}, ${last}] }`, outcome), []);
    assert.deepEqual(check(`{ "events": [${event(', "contract": "Token"')}] }`, outcome), []);
    assert.deepEqual(check(`{ "events": [${last}, ${first}] }`, outcome), [
      `${first} → Sold is not emitted here. Emitted: no event.`,
    ]);
  });

  it("names the events that were emitted, and the argument that differs", () => {
    const outcome = returned(hex(""), sold(ALICE, 1n));

    assert.deepEqual(check('{ "events": [] }', outcome), [
      `[] → The call emits events, but none is expected: Sold(seller: ${toBase58(ALICE)}, price: 1).`,
    ]);
    assert.deepEqual(check('{ "events": [{ "event": "Sold", "arguments": { "price": 2 } }] }', outcome), [
      "2 → price is 1, expected 2.",
    ]);
    assert.match(
      check('{ "events": [{ "event": "Sold", "contract": "Bob" }] }', outcome)[0] ?? "",
      /→ Sold of Bob is not emitted here\. Emitted: Sold\(seller: T/,
    );
    assert.deepEqual(check('{ "events": [] }', returned()), []);
  });

  it("compares the energy with its bound, also of a revert", () => {
    assert.deepEqual(check('{ "energyAtMost": 1200 }', returned()), []);
    assert.deepEqual(check('{ "energyAtMost": "1000" }', returned()), [
      '"1000" → The call uses 1,200 energy, 200 more than 1,000.',
    ]);
    assert.equal(check('{ "revert": true, "energyAtMost": 899 }', reverted(hex(""))).length, 1);
  });

  it("shows text of a contract in one visible line", () => {
    const [difference = ""] = check("{}", reverted(reasonData("a\n::error::\u202eb")));

    assert.equal(difference, "{} → The call reverts: “a ::error::⟨U+202E⟩b”.");
  });

  it("reports both values for a comparison", () => {
    const text = '{ "calls": [{ "contract": "Shop", "function": "f", "expect": { "result": { "price": 6 } } }] }';
    const expect = callSitesInCallFile(text)[0]?.expect;
    if (expect === undefined || quote === undefined) return assert.fail();
    const call = { called: quote, contract: TOKEN, expect };
    const [difference]: readonly ExpectationDifference[] = checkExpectation(call, returned(QUOTE), names);

    assert.deepEqual([difference?.expected, difference?.actual], ["6", "5"]);
  });
});
