import assert from "node:assert/strict";
import type { TransactionInfo } from "../../../../packages/client/src/gateway/gateway.ts";
import type {
  SignedPart,
  TrackedTransaction,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import {
  candidateFromJson,
  createAbiIndex,
  type JsonAbiEntry,
  keyOf,
} from "../../../../packages/tron/src/abi/abi-index.ts";
import { constructorOf } from "../../../../packages/tron/src/abi/contract-functions.ts";
import { encodeAbi } from "../../../../packages/tron/src/abi/encode-abi.ts";
import { parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import type { Hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { deployedContractAddress } from "../../../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../../../packages/tron/src/transaction/intent.ts";
import {
  describeRaw,
  describeSections,
  NO_FACTS,
  type TransactionFacts,
} from "../../../../src/features/tracking/timeline-sections.view.ts";
import type { TransactionSection } from "../../../../src/webview-messages/timeline.ts";
import { rawDataFor } from "../../../support/random/random-chains.ts";
import { proof } from "../../../support/tracking/proven.ts";
import {
  ALICE,
  adopted,
  BOB,
  blockReference,
  nameOf,
  noReasons,
  tracked,
  txId,
} from "../../../support/tracking/tracked.ts";

const CONTRACT = parseAddress("4100000000000000000000000000000000000000aa");
const TOKEN = parseAddress("4100000000000000000000000000000000000000bb");

const ABI: readonly JsonAbiEntry[] = [
  {
    type: "function",
    name: "reserve",
    inputs: [
      { name: "seats", type: "uint256" },
      {
        name: "order",
        type: "tuple",
        components: [
          { name: "guest", type: "address" },
          { name: "teas", type: "string[]" },
        ],
      },
    ],
    outputs: [{ name: "table", type: "uint8" }],
  },
  {
    type: "event",
    name: "Reserved",
    inputs: [
      { name: "guest", type: "address", indexed: true },
      { name: "seats", type: "uint256" },
    ],
  },
  { type: "error", name: "Full", inputs: [{ name: "left", type: "uint256" }] },
  { type: "constructor", inputs: [{ name: "price", type: "uint256" }] },
];
const candidates = ABI.flatMap((it) => candidateFromJson(it, "TeaHouse (build/TeaHouse.json)") ?? []);
const [reserve, reserved, full] = candidates;
assert.ok(reserve && reserved && full);
const index = createAbiIndex(candidates);
const word = (value: bigint): Hex => value.toString(16).padStart(64, "0") as Hex;
const DATA = (keyOf(reserve) + encodeAbi(reserve.parameters, [4n, [BOB, ["Sencha", "<b>Oolong"]]])) as Hex;

const CALL: Intent = {
  kind: "contract-call",
  owner: ALICE,
  contract: CONTRACT,
  data: DATA,
  callValue: sun(1_500_000n),
  feeLimit: sun(100_000_000n),
  tokenId: 1_000_001n,
  tokenValue: 7n,
  memo: Buffer.from("for [tea](x)").toString("hex") as Hex,
};
const CREATION: Intent = {
  kind: "contract-creation",
  owner: ALICE,
  name: "TeaHouse",
  bytecode: "6001" as Hex,
  abi: "" as Hex,
  callValue: sun(0n),
  feeLimit: sun(100_000_000n),
  userPercent: 100n,
  originEnergyLimit: 10_000_000n,
};
const FINAL = { kind: "solidified", block: blockReference(12), outcome: { kind: "success" } } as const;

const INFO: TransactionInfo = {
  txId: txId("7f"),
  blockNumber: 12,
  blockTimestamp: 1_000,
  fee: sun(2_345_000n),
  failed: false,
  receiptResult: "SUCCESS",
  energyUsed: 10_000n,
  energyStaked: 3_000n,
  energyOfOwner: 2_000n,
  energyFee: sun(2_100_000n),
  bandwidthUsed: 0n,
  bandwidthFee: sun(245_000n),
  contractResult: "" as Hex,
  message: "",
  contractAddress: CONTRACT,
};

function signedPart(intent: Intent, changes: Partial<SignedPart> = {}): SignedPart {
  return { intent, rawDataHex: "00" as Hex, signatures: ["00" as Hex], expiration: 9, solidHeight: 1, ...changes };
}

function factsOf(info: Partial<TransactionInfo>, changes: Partial<TransactionFacts> = {}): TransactionFacts {
  const receipt = { kind: "read", info: { ...INFO, ...info }, isSolid: true, endpoint: "https://node.test" } as const;
  return { ...NO_FACTS, receipt, abiOf: () => index, ...changes };
}

const SYSTEM = {
  contractAddress: undefined,
  receiptResult: undefined,
  energyUsed: 0n,
  energyStaked: 0n,
  energyOfOwner: 0n,
} as unknown as Partial<TransactionInfo>;

function sectionsOf(transaction: TrackedTransaction, facts: TransactionFacts): readonly TransactionSection[] {
  return describeSections(transaction, { facts, nameOf, reasonOf: noReasons });
}

function sectionOf(id: TransactionSection["id"], intent: Intent, facts: TransactionFacts): TransactionSection {
  const found = sectionsOf(tracked({ state: FINAL, signed: signedPart(intent) }), facts).find((it) => it.id === id);
  assert.ok(found, `no section ${id}`);
  return found;
}

const rowsOf = ({ rows }: TransactionSection): readonly string[] => rows.map(({ name, value }) => `${name}: ${value}`);
const tablesOf = ({ tables }: TransactionSection): readonly string[] =>
  tables.flatMap(({ title, note, rows }) => [
    note === null ? title : `${title} (${note})`,
    ...rows.map((cells) => cells.map(({ text }) => text).join(" | ")),
  ]);

describe("the call of a transaction page", () => {
  it("shows the name of a contract once", () => {
    const name = { name: foreignText("TeaHouse"), source: foreignText("deployed from here") };
    const facts = factsOf({}, { contractNames: new Map([[CONTRACT, name]]) });
    const signed = tracked({ state: FINAL, signed: signedPart(CALL) });
    const context = { facts, nameOf: () => "TeaHouse", reasonOf: noReasons };

    const call = describeSections(signed, context).find(({ id }) => id === "call") ?? assert.fail();

    assert.deepEqual(rowsOf(call).slice(0, 2), [
      `Contract TeaHouse: ${toBase58(CONTRACT)}`,
      "Function: reserve(uint256,(address,string[]))",
    ]);
  });

  it("shows contract, function, arguments by name, value, token and memo", () => {
    const name = { name: foreignText("Tea\u202EHouse"), source: foreignText("build/TeaHouse.json") };
    const call = sectionOf("call", CALL, factsOf({}, { contractNames: new Map([[CONTRACT, name]]) }));

    assert.equal(call.title, "Call");
    assert.deepEqual(rowsOf(call), [
      `Contract: ${toBase58(CONTRACT)}`,
      "Contract name: “Tea⟨U+202E⟩House” (build/TeaHouse.json)",
      "Function: reserve(uint256,(address,string[]))",
      "Named by: TeaHouse (build/TeaHouse.json)",
      "Value: 1.5 coins (1,500,000 sun)",
      "Token: 7 units of token 1000001",
      "Memo: “for [tea](x)”",
    ]);
    assert.deepEqual(tablesOf(call), [
      "Arguments",
      "seats | uint256 | 4",
      "order | (address,string[]) | 2 fields",
      `order.guest | address | Bob (${toBase58(BOB)})`,
      "order.teas | string[] | 2 items",
      "order.teas[0] | string | “Sencha”",
      "order.teas[1] | string | “<b>Oolong”",
    ]);
  });

  it("shows the selector and the data of a function that no ABI names", () => {
    const rows = rowsOf(sectionOf("call", CALL, factsOf({}, { abiOf: NO_FACTS.abiOf })));

    assert.ok(rows.includes(`Function: 0x${DATA.slice(0, 8)}, which no ABI here names`), rows.join("\n"));
    assert.ok(rows.includes(`Data: 0x${DATA}`));
  });

  it("shows a deployment with its constructor arguments", () => {
    const { parameters } = constructorOf(ABI);
    const source = foreignText("TeaHouse (build/TeaHouse.json)");
    const call = sectionOf(
      "call",
      CREATION,
      factsOf({}, { constructorArguments: { parameters, values: [2n], source } }),
    );

    assert.equal(call.title, "Deployment");
    assert.ok(rowsOf(call).includes("Code: 2 bytes"));
    assert.deepEqual(tablesOf(call), ["Constructor Arguments", "price | uint256 | 2"]);
  });

  it("shows recipient and amount of coins and of TRC-10 tokens", () => {
    const coins: Intent = { kind: "transfer", owner: ALICE, to: BOB, amount: sun(1n) };
    const tokens: Intent = { kind: "token-transfer", owner: ALICE, to: BOB, tokenId: "1000001", amount: 7_000n };

    assert.deepEqual(rowsOf(sectionOf("call", coins, factsOf(SYSTEM))), [
      `To Bob: ${toBase58(BOB)}`,
      "Amount: 0.000001 coins (1 sun)",
    ]);
    assert.deepEqual(rowsOf(sectionOf("call", tokens, factsOf(SYSTEM))), [
      `To Bob: ${toBase58(BOB)}`,
      "Token: 1000001",
      "Amount: 7,000 units",
    ]);
  });

  it("shows votes and permissions as tables", () => {
    const vote: Intent = { kind: "vote", owner: ALICE, votes: [{ witness: BOB, count: 3n }] };
    const permission = { name: "<i>owner", threshold: 2n, keys: [{ address: ALICE, weight: 1n }] };
    const update: Intent = {
      kind: "permission-update",
      owner: ALICE,
      ownerPermission: permission,
      activePermissions: [],
    };

    assert.deepEqual(tablesOf(sectionOf("call", vote, factsOf(SYSTEM))), ["Votes", `Bob (${toBase58(BOB)}) | 3 votes`]);
    assert.deepEqual(tablesOf(sectionOf("call", update, factsOf(SYSTEM))), [
      "Owner Permission (“<i>owner”, threshold 2)",
      `Alice (${toBase58(ALICE)}) | 1`,
    ]);
  });

  const system: readonly (readonly [Intent, readonly string[]])[] = [
    [
      { kind: "stake", owner: ALICE, resource: "ENERGY", amount: sun(5_000_000n) },
      ["Operation: Stake 5 coins for energy", "Amount: 5 coins (5,000,000 sun)", "Resource: energy"],
    ],
    [
      { kind: "delegate", owner: ALICE, receiver: BOB, resource: "BANDWIDTH", amount: sun(1_000_000n), lockPeriod: 9n },
      [
        "Operation: Delegate 1 coin as bandwidth → Bob",
        `Receiver Bob: ${toBase58(BOB)}`,
        "Amount: 1 coin (1,000,000 sun)",
        "Resource: bandwidth",
        "Lock period: 9 blocks",
      ],
    ],
    [{ kind: "withdraw", owner: ALICE }, ["Operation: Withdraw unstaked coins"]],
    [{ kind: "account-name", owner: ALICE, name: "x](y)" }, ["Operation: Name the account x](y)", "Name: “x](y)”"]],
    [
      { kind: "other", owner: ALICE, type: "ProposalCreateContract", parameter: "0a0b" as Hex, feeLimit: sun(0n) },
      ["Operation: ProposalCreateContract", "Message: 0x0a0b"],
    ],
  ];
  for (const [intent, rows] of system) {
    it(`shows the fields of the system contract ${intent.kind}`, () => {
      const call = sectionOf("call", intent, factsOf(SYSTEM));

      assert.deepEqual([call.title, ...rowsOf(call)], ["System Contract", ...rows]);
    });
  }

  it("uses the bytes of the network for a transaction that was signed elsewhere, or says that they are missing", () => {
    const [known] = sectionsOf(adopted({ state: FINAL }), factsOf({}, { intent: CALL }));
    const [unknown] = sectionsOf(adopted({ state: FINAL }), factsOf({}));
    const [pending] = sectionsOf(adopted({ state: { kind: "unknown", reason: "" } }), NO_FACTS);

    assert.equal(known?.title, "Call");
    assert.equal(unknown?.note, "The network has not returned the bytes of this transaction.");
    assert.match(pending?.note ?? "", /signed elsewhere. Its content is shown once it is in a block/);
  });
});

describe("the cost of a transaction page", () => {
  it("names the payers of the energy, and its parts add up to the fee", () => {
    const signed = signedPart(CALL, { estimatedEnergy: 9_500 });
    const cost = sectionsOf(tracked({ state: FINAL, signed }), factsOf({})).find(({ id }) => id === "cost");
    assert.ok(cost);

    assert.deepEqual(rowsOf(cost), [
      "Fee: 2.345 coins",
      "Energy: 10,000",
      "Energy from the sender's stake: 3,000",
      "Energy paid by the contract's owner: 2,000",
      "Energy burned: 5,000 for 2.1 coins",
      "Bandwidth: burned 0.245 coins",
      "Fee limit: 100 coins",
      "Estimated energy when signed: 9,500",
    ]);
  });

  it("shows fees besides energy and bandwidth, and free bandwidth", () => {
    const paid = { ...SYSTEM, fee: sun(1_000_000n), energyFee: sun(0n), bandwidthFee: sun(0n), bandwidthUsed: 268n };
    const rows = rowsOf(sectionOf("cost", { kind: "withdraw", owner: ALICE }, factsOf(paid)));

    assert.deepEqual(rows, [
      "Fee: 1 coin",
      "Bandwidth: 268 bytes of stake or free quota",
      "Other fees: 1 coin (activation, memo or signatures)",
    ]);
  });

  it("shows the limits before the execution, and nothing for a transfer", () => {
    const before = sectionsOf(tracked({ signed: signedPart(CALL, { estimatedEnergy: 9_500 }) }), NO_FACTS);
    const transfer = sectionsOf(tracked(), NO_FACTS);

    const cost = before.find(({ id }) => id === "cost");
    assert.ok(cost);
    assert.deepEqual(
      [cost.note, ...rowsOf(cost)],
      ["Not executed yet.", "Fee limit: 100 coins", "Estimated energy when signed: 9,500"],
    );
    assert.deepEqual(
      transfer.map(({ id }) => id),
      ["call", "result"],
    );
  });
});

describe("the result of a transaction page", () => {
  it("shows the returned values by name, and who reports them", () => {
    const result = sectionOf("result", CALL, factsOf({ contractResult: word(3n) }));

    assert.deepEqual(rowsOf(result), ["Outcome: Success", "Reported by: https://node.test"]);
    assert.deepEqual(tablesOf(result), ["Returned Values", "table | uint8 | 3"]);
  });

  it("shows returned bytes that no ABI names, and none", () => {
    const abiOf = NO_FACTS.abiOf;

    const bytes = rowsOf(sectionOf("result", CALL, factsOf({ contractResult: word(3n) }, { abiOf })));
    const none = rowsOf(sectionOf("result", CALL, factsOf({})));

    assert.ok(bytes.includes(`Returned data: 0x${word(3n)}`));
    assert.ok(none.includes("Returned values: none"));
  });

  it("warns that a token returned false", () => {
    const data = `a9059cbb${word(1n)}${word(2n)}` as Hex;
    const result = sectionOf("result", { ...CALL, data }, factsOf({ contractResult: word(0n) }));

    assert.match(result.note ?? "", /the token returned false/);
  });

  it("U5: shows the contract address of a deployment with actions", () => {
    const address = toBase58(deployedContractAddress(txId("7f"), ALICE));
    const result = sectionOf("result", CREATION, factsOf({}));

    assert.ok(rowsOf(result).includes(`Contract address: ${address}`));
    assert.equal(result.rows.find(({ name }) => name === "Contract address")?.exact, true);
    assert.deepEqual(
      result.buttons.map(({ action }) => action),
      ["call-contract", "read-contract"],
    );
  });

  it("U6: decodes the error of a failed call with its values", () => {
    const data = (keyOf(full) + encodeAbi(full.parameters, [2n])) as Hex;
    const state = {
      ...FINAL,
      outcome: { kind: "failed", result: "REVERT", message: "REVERT opcode executed", data },
    } as const;
    const info = { failed: true, receiptResult: "REVERT", contractResult: data, message: "REVERT opcode executed" };
    const all = sectionsOf(tracked({ state, signed: signedPart(CALL) }), factsOf(info));
    const result = all.find(({ id }) => id === "result");
    assert.ok(result);

    const rows = rowsOf(result);
    assert.equal(rows[0], "Outcome: Failed: REVERT");
    assert.ok(
      rows.some((it) => it.startsWith("Next step: ")),
      rows.join("\n"),
    );
    assert.ok(tablesOf(result).includes("left | uint256 | 2"), tablesOf(result).join("\n"));
  });

  it("shows why there is no result", () => {
    const noteOf = (
      changes: Partial<TrackedTransaction>,
      receipt: TransactionFacts["receipt"] = { kind: "not-executed" },
    ) => sectionsOf(tracked(changes), { ...NO_FACTS, receipt }).find(({ id }) => id === "result");

    assert.match(noteOf({ state: { kind: "unknown", reason: "" } })?.note ?? "", /may still be executed/);
    assert.match(noteOf({ state: { kind: "proven-absent", from: 1, to: 2 } })?.note ?? "", /Never executed/);
    assert.match(
      noteOf({ state: { kind: "replaced", by: txId("a") } })?.note ?? "",
      /another transaction has its place/,
    );
    assert.match(noteOf({ state: { kind: "pending" } })?.note ?? "", /waits for a block/);
    const failed = noteOf({ state: FINAL }, { kind: "failed", message: "The gateway does not serve it." });
    assert.equal(failed?.note, "The receipt could not be read. The gateway does not serve it.");
    assert.deepEqual(
      failed?.buttons.map(({ action }) => action),
      ["read-again"],
    );
    assert.deepEqual(
      noteOf({ state: FINAL }, { kind: "absent" })?.buttons.map(({ action }) => action),
      ["read-again"],
    );
  });

  it("says that a result in a block that is not solidified may change", () => {
    const facts = factsOf({});
    assert.ok(facts.receipt.kind === "read");
    const state = { kind: "included", block: blockReference(12), outcome: { kind: "success" } } as const;
    const all = sectionsOf(tracked({ state, signed: signedPart(CALL) }), {
      ...facts,
      receipt: { ...facts.receipt, isSolid: false },
    });

    assert.match(all.find(({ id }) => id === "result")?.note ?? "", /Not final/);
  });
});

describe("the events of a transaction page", () => {
  const known = {
    address: CONTRACT,
    topics: [keyOf(reserved), word(BigInt(`0x${BOB}`) & ((1n << 160n) - 1n))],
    data: word(4n),
  };

  it("are decoded by an ABI, else shown with topics and data", () => {
    const events = sectionOf(
      "events",
      CALL,
      factsOf({ logs: [known, { ...known, address: TOKEN, topics: [word(9n)] }] }),
    );

    assert.deepEqual(tablesOf(events), [
      `Reserved (Emitted by ${toBase58(CONTRACT)}. Named by TeaHouse (build/TeaHouse.json).)`,
      `guest | address | Bob (${toBase58(BOB)})`,
      "seats | uint256 | 4",
      `Event without a known name (Emitted by ${toBase58(TOKEN)}.)`,
      `topic 0 | bytes32 | 0x${word(9n)}`,
      `data | bytes | 0x${word(4n)}`,
    ]);
  });

  it("are limited, and absent for a transaction that runs no contract", () => {
    const many = sectionOf("events", CALL, factsOf({ logs: Array(53).fill(known) }));
    const transfer: Intent = { kind: "withdraw", owner: ALICE };
    const none = sectionsOf(tracked({ state: FINAL, signed: signedPart(transfer) }), factsOf(SYSTEM));

    assert.equal(many.tables.length, 50);
    assert.equal(many.note, "3 more events are not shown.");
    assert.deepEqual(
      none.map(({ id }) => id),
      ["call", "cost", "result"],
    );
    assert.equal(sectionOf("events", CALL, factsOf({})).note, "The transaction emitted no events.");
  });
});

describe("the internal transactions of a page", () => {
  it("show operation, parties, amounts and reverts", () => {
    const internal = [
      {
        from: CONTRACT,
        to: BOB,
        note: "call",
        rejected: false,
        values: [{ amount: 5n }, { amount: 7n, tokenId: "1000001" }],
      },
      { from: CONTRACT, to: undefined, note: "create", rejected: true, values: [{ amount: 0n }] },
    ];

    const [title, ...rows] = tablesOf(sectionOf("internal", CALL, factsOf({ internal })));

    assert.equal(title, "Calls and Transfers by Contracts");
    assert.deepEqual(rows, [
      `call | ${toBase58(CONTRACT)} | Bob (${toBase58(BOB)}) | 0.000005 coins, 7 units of token 1000001`,
      `create (reverted) | ${toBase58(CONTRACT)} | not reported | 0 coins`,
    ]);
  });

  it("say that not every node records them", () => {
    assert.match(sectionOf("internal", CALL, factsOf({})).note ?? "", /Not every node records them/);
  });
});

describe("the raw data of a transaction page", () => {
  it("has the JSON, the hex and the number of signatures", () => {
    const { expiration, parentId } = proof();
    const rawDataHex = rawDataFor(parentId, expiration, expiration - 60_001);
    const quorum = { weight: 1n, threshold: 2n };

    const raw = describeRaw(tracked({ signed: signedPart(CALL, { rawDataHex, quorum }) }), NO_FACTS);

    assert.deepEqual(rowsOf(raw), ["Signatures: 1, weight 1 of 2", `Size of raw_data: ${rawDataHex.length / 2} bytes`]);
    assert.equal(JSON.parse(raw.texts[0]?.text ?? "").expiration, expiration);
    assert.equal(raw.texts[1]?.text, rawDataHex);
  });

  it("says that the bytes are missing", () => {
    assert.match(describeRaw(adopted({}), NO_FACTS).note ?? "", /not in the journal/);
  });
});
