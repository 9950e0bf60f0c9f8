import assert from "node:assert/strict";
import { type Address, foreignText, type Json, parseAddress, toBase58 } from "../../../tron/src/primitives.ts";
import { lookalikesOf } from "../../../tron/src/transaction.ts";
import { readTypedData } from "../../../tron/src/typed-data.ts";
import type { ChainId } from "../../src/gateway/network.ts";
import {
  isForeignChain,
  messageReview,
  type TypedDataFacts,
  typedDataChainId,
  typedDataReview,
  typedDataTokens,
} from "../../src/reviews/message-review.view.ts";

const CHAIN = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc" as ChainId;
const HEAD = 1_800_000_000_000;
const SOON = "1800000600";
const address = (digits: string): Address => parseAddress(`41${digits.padEnd(40, "0")}`);
const [OWNER, SPENDER, TOKEN] = [address("aa"), address("bb"), address("cc")];
const [RECEIVER, FRIEND] = [address("dd"), address("ee")];
const NAMES = new Map([
  [OWNER, "Alice"],
  [SPENDER, "Router"],
]);
const facts: TypedDataFacts = {
  network: { name: "Mainnet", production: true },
  chain: CHAIN,
  headTime: HEAD,
  signer: OWNER,
  nameOf: (it) => NAMES.get(it),
  lookalikesOf: (it) => lookalikesOf(it, [FRIEND]),
  tokens: [{ address: TOKEN, name: foreignText("Tether"), symbol: foreignText("USDT"), decimals: 6 }],
  timeOf: (ms) => new Date(ms).toISOString(),
};
const MOST = String(2n ** 256n - 1n);

/** Returns the type of a value by its form. */
function fieldOf(name: string, value: Json): { name: string; type: string } {
  if (typeof value === "boolean") return { name, type: "bool" };
  const isAddress = typeof value === "string" && value.startsWith("T");
  return { name, type: isAddress ? "address" : "uint256" };
}

function permitOf(change: { [name: string]: Json } = {}, domain: { [name: string]: Json } = {}) {
  const message = { owner: toBase58(OWNER), spender: toBase58(SPENDER), value: "5000000", nonce: "0", deadline: SOON };
  return dataOf("Permit", { ...message, ...change }, domain);
}

function dataOf(type: string, message: { [name: string]: Json }, domain: { [name: string]: Json } = {}) {
  const types = { [type]: Object.entries(message).map(([name, value]) => fieldOf(name, value)) };
  const usual = { name: "Tether USD", version: "1", chainId: "728126428", verifyingContract: toBase58(TOKEN) };
  return readTypedData({ types, primaryType: type, domain: { ...usual, ...domain }, message });
}

describe("typedDataReview", () => {
  it("names who may take what until when, for a permit of TRC-2612", () => {
    const { title, detail, isDoubtful } = typedDataReview(permitOf(), facts);

    assert.equal(title, "Let Router take 5 USDT?");
    assert.equal(isDoubtful, false);
    assert.deepEqual(detail.split("\n"), [
      "Network: Mainnet (real money)",
      `Signs: Alice · ${toBase58(OWNER)}`,
      `Contract: ${toBase58(TOKEN)}`,
      "Name that the data give it: Tether USD",
      "Chain ID: 728126428",
      "",
      "Router may take up to 5 USDT.",
      `Spender: Router · ${toBase58(SPENDER)}`,
      `Token: ${toBase58(TOKEN)}`,
      `From: Alice · ${toBase58(OWNER)}`,
      "The signature can be used until: 2027-01-15T08:10:00.000Z, 10 min from now",
      "The allowance stays after that, until it is spent or set to 0.",
      "",
      "Signed fields of Permit:",
      `owner: Alice · ${toBase58(OWNER)}`,
      `spender: Router · ${toBase58(SPENDER)}`,
      "value: 5000000",
      "nonce: 0",
      `deadline: ${SOON}`,
    ]);
  });

  const dangers: readonly (readonly [string, ReturnType<typeof permitOf>, Partial<TypedDataFacts>, RegExp])[] = [
    ["an unlimited permit", permitOf({ value: MOST }), {}, /^⚠ Unlimited: Router · T\w+ can take every USDT/],
    ["half of the largest amount", permitOf({ value: String(2n ** 255n) }), {}, /^⚠ Unlimited/],
    ["a foreign chain ID", permitOf({}, { chainId: "1" }), {}, /^⚠ It is for chain 1, and Mainnet is chain 728126428/],
    ["a missing chain ID", permitOf({}, { chainId: null }), {}, /^⚠ It names no chain/],
    ["a missing contract", dataOf("Hello", { a: "1" }, { verifyingContract: null }), {}, /^⚠ It names no contract/],
    ["an expired deadline", permitOf({ deadline: "1799999999" }), {}, /^⚠ It is expired by the time of the chain/],
    ["a deadline without end", permitOf({ deadline: MOST }), {}, /^⚠ It stays valid for more than a year/],
    ["a deadline in milliseconds", permitOf({ deadline: `${SOON}000` }), {}, /^⚠ It stays valid for more than a year/],
    ["another owner", permitOf({ owner: toBase58(FRIEND) }), {}, /^⚠ The tokens belong to T\w+, and another account/],
    ["an unknown chain", permitOf(), { chain: undefined }, /^⚠ The gateway did not report its chain/],
    ["an unknown time", permitOf(), { headTime: undefined }, /^⚠ The gateway did not report the time of the chain/],
  ];
  for (const [title, data, change, expected] of dangers)
    it(`names ${title}`, () => {
      const review = typedDataReview(data, { ...facts, ...change });

      assert.match(review.detail, expected);
      assert.equal(review.isDoubtful, true);
    });

  it("names a spender, and any other address, that looks like a known one", () => {
    const known = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
    const lookalikes = (it: Address) => (it === SPENDER ? [known] : []);

    const { detail, isDoubtful } = typedDataReview(permitOf(), { ...facts, lookalikesOf: lookalikes });

    assert.match(detail, /^⚠ This is not the account that it looks like/);
    assert.ok(detail.includes(`now ${toBase58(SPENDER)}\nknown ${toBase58(known)}`));
    assert.equal(isDoubtful, true);
  });

  it("reads a permit of DAI, which allows everything, and its end", () => {
    const fields = { holder: toBase58(OWNER), spender: toBase58(SPENDER), nonce: "0", expiry: "0" };

    const all = typedDataReview(dataOf("Permit", { ...fields, allowed: true }), facts);
    const none = typedDataReview(dataOf("Permit", { ...fields, expiry: SOON, allowed: false }), facts);

    assert.equal(all.title, "Let Router take every USDT?");
    assert.match(all.detail, /The signature can be used until: no end/);
    assert.match(none.detail, /Router may take nothing: this ends an allowance/);
    assert.equal(none.isDoubtful, false);
  });

  it("reads Permit2 with one and with several tokens", () => {
    const details = { token: toBase58(TOKEN), amount: "2500000", expiration: SOON, nonce: "0" };
    const types = {
      PermitBatch: [
        { name: "details", type: "PermitDetails[]" },
        { name: "spender", type: "address" },
        { name: "sigDeadline", type: "uint256" },
      ],
      PermitDetails: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint160" },
        { name: "expiration", type: "uint48" },
        { name: "nonce", type: "uint48" },
      ],
    };
    const unlimited = { ...details, amount: String(2n ** 160n - 1n) };
    const message = { details: [details, unlimited], spender: toBase58(SPENDER), sigDeadline: SOON };
    const domain = { chainId: 728126428, verifyingContract: toBase58(RECEIVER) };

    const { title, detail } = typedDataReview(readTypedData({ types, domain, message }), facts);

    assert.equal(title, "Let Router take 2.5 USDT, and 1 more?");
    assert.match(detail, /^⚠ Unlimited: Router/);
    assert.match(detail, /Allowed until: 2027-01-15T08:10:00.000Z, 10 min from now/);
    assert.doesNotMatch(detail, /The allowance stays after that/);
  });

  it("reads a transfer of Permit2 with a witness", () => {
    const types = {
      Any: [
        { name: "permitted", type: "TokenPermissions" },
        { name: "spender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
        { name: "witness", type: "bytes32" },
      ],
      TokenPermissions: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint256" },
      ],
    };
    const permitted = { token: toBase58(TOKEN), amount: "1000000" };
    const message = {
      permitted,
      spender: toBase58(SPENDER),
      nonce: 7,
      deadline: SOON,
      witness: `0x${"00".repeat(32)}`,
    };
    const data = readTypedData({ types, domain: { verifyingContract: toBase58(RECEIVER) }, message });

    assert.equal(typedDataReview(data, facts).title, "Let Router take 1 USDT?");
    assert.deepEqual(typedDataTokens(data), [TOKEN]);
  });

  it("reads a transfer of GasFree, with its provider, recipient and fee", () => {
    const data = dataOf("PermitTransfer", {
      token: toBase58(TOKEN),
      serviceProvider: toBase58(SPENDER),
      user: toBase58(OWNER),
      receiver: toBase58(RECEIVER),
      value: "90000000",
      maxFee: "2000000",
      deadline: SOON,
      version: "1",
      nonce: "8",
    });

    const { title, detail } = typedDataReview(data, facts);

    assert.match(title, /^Let Router send 90 USDT to T\w+…\w+\?$/);
    assert.match(detail, new RegExp(`Recipient: ${toBase58(RECEIVER)}`));
    assert.match(detail, /Fee: at most 2 USDT/);
  });

  it("lists the fields of other types, with invisible characters made visible", () => {
    const types = {
      Order: [
        { name: "text", type: "string" },
        { name: "lines", type: "Line[]" },
        { name: "none", type: "bool[]" },
      ],
      Line: [{ name: "hash", type: "bytes2" }],
    };
    const message = { text: "a\u202eb\nc", lines: [{ hash: "0x0102" }], none: [] };

    const { title, detail } = typedDataReview(readTypedData({ types, domain: {}, message }), facts);

    assert.equal(title, "Sign typed data of the type Order?");
    assert.match(detail, /text: "a⟨U\+202E⟩b c"\nlines\[0\]\.hash: 0x0102\nnone: \[\]$/);
  });

  it("names the length of a text that is cut", () => {
    const types = { Long: [{ name: "data", type: "bytes" }] };
    const data = readTypedData({ types, domain: {}, message: { data: `0x${"ab".repeat(900)}` } });

    assert.match(typedDataReview(data, facts).detail, /data: 0x(?:ab){200}… \(1800 characters\)$/);
  });

  it("counts the fields that do not fit", () => {
    const types = { List: [{ name: "all", type: "uint256[]" }] };
    const message = { all: Array.from({ length: 500 }, (_, at) => at) };

    assert.match(typedDataReview(readTypedData({ types, domain: {}, message }), facts).detail, /⚠ 380 more fields/);
  });
});

describe("isForeignChain", () => {
  it("compares with the low 32 bits of the genesis block ID, and with all of it", () => {
    assert.equal(typedDataChainId(CHAIN), 728126428n);
    assert.equal(isForeignChain({ chainId: 728126428n }, CHAIN), false);
    assert.equal(isForeignChain({ chainId: BigInt(`0x${CHAIN}`) }, CHAIN), false);
    assert.equal(isForeignChain({}, CHAIN), false);
    assert.equal(isForeignChain({ chainId: 1n }, CHAIN), true);
  });
});

describe("messageReview", () => {
  it("shows a text", () => {
    const { detail, isDoubtful } = messageReview(Buffer.from("Let me in, 水"), facts);

    assert.match(detail, /Signs: Alice · T\w+\n.*\n\nMessage \(14 bytes\):\nLet me in, 水$/);
    assert.equal(isDoubtful, false);
  });

  it("shows bytes that are no text, and names what may be a hash", () => {
    const { detail, isDoubtful } = messageReview(Buffer.alloc(32, 0xff), facts);

    assert.match(detail, /^⚠ It may be a hash/);
    assert.ok(detail.endsWith(`Bytes (32):\n0x${"ff".repeat(32)}`));
    assert.equal(isDoubtful, true);
  });

  it("names invisible characters, and a text that is too long", () => {
    assert.match(messageReview(Buffer.from("a\u202eb"), facts).detail, /^⚠ It has invisible characters.*a⟨U\+202E⟩b$/s);
    assert.match(messageReview(Buffer.from("a".repeat(5_000)), facts).detail, /^⚠ It is longer than what is shown/);
  });
});
