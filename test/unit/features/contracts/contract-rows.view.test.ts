import assert from "node:assert/strict";
import { functionsOf } from "../../../../packages/tron/src/abi/contract-functions.ts";
import { parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../../packages/tron/src/primitives/amount.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import {
  type ContractDetails,
  type ContractListContext,
  type ContractRow,
  type ContractState,
  contractRows,
  type ListedContract,
} from "../../../../src/features/contracts/contract-rows.view.ts";
import { ALICE, BOB } from "../../../support/tracking/tracked.ts";

const ABI = [
  { type: "function", name: "price", outputs: [{ type: "uint256" }], stateMutability: "view" },
  {
    type: "function",
    name: "pour",
    inputs: [
      { name: "to", type: "address" },
      { name: "cups", type: "uint8" },
    ],
    stateMutability: "payable",
  },
];
const NAMES = new Map([[ALICE, "Alice"]]);
const CONTEXT: ContractListContext = {
  nameOf: (address) => NAMES.get(address),
  isNamedByUser: () => false,
  activeNetwork: "Nile",
  symbolOf: () => "TRX",
};
const LISTED: ListedContract = {
  network: "Nile",
  address: BOB,
  name: foreignText("TeaHouse"),
  source: "deployed",
  record: foreignText(""),
};
const KNOWN: Extract<ContractDetails, { kind: "known" }> = {
  kind: "known",
  balance: sun(1_500_000n),
  code: { kind: "same", artifact: "contracts/TeaHouse.sol" },
  codeHash: "ab".repeat(32),
  proxy: undefined,
  origin: foreignText("TeaHouse (build/contracts/TeaHouse.json)"),
  functions: functionsOf(ABI),
  lost: [],
  events: [],
};

function stateOf(change: Partial<ListedContract> = {}, rest: Partial<ContractState> = {}): ContractState {
  return { contract: { ...LISTED, ...change }, details: undefined, values: new Map(), transactions: [], ...rest };
}

/** Returns a row below the only contract, by the path of its labels. */
function rowIn(state: ContractState, ...path: readonly string[]): ContractRow {
  let [row] = contractRows([state], CONTEXT)[0]?.children ?? [];
  for (const label of path) row = row?.children?.find((it) => it.label === label);
  return row ?? assert.fail(path.join(" / "));
}

describe("contractRows", () => {
  it("groups contracts by network, the active one first and expanded", () => {
    const rows = contractRows([stateOf({ network: "Shasta" }), stateOf(), stateOf({ address: ALICE })], CONTEXT);

    assert.deepEqual(
      rows.map((it) => [it.label, it.description, it.isExpanded]),
      [
        ["Nile", "2", true],
        ["Shasta", "1", false],
      ],
    );
  });

  it("shows the user's name first, else that of the deployment, else the address", () => {
    assert.equal(rowIn(stateOf({ address: ALICE })).label, "Alice");
    assert.equal(rowIn(stateOf()).label, "TeaHouse");
    const { label, description } = rowIn(stateOf({ name: foreignText("") }));
    assert.deepEqual([label.slice(0, 6), description], [toBase58(BOB).slice(0, 6), ""]);
  });

  it("quotes a name that only the workspace vouches for, unless the user named the address", () => {
    const row = rowIn(
      stateOf({
        address: ALICE,
        source: "recorded",
        name: foreignText("Ali”ce\nis fine"),
        record: foreignText("x.json"),
      }),
    );

    assert.equal(row.label, '“Ali"ce is fine”');
    assert.match(row.tooltip, /Recorded in x\.json/);
    const state = stateOf({ address: ALICE, source: "recorded", name: foreignText("Leaf") });
    const [network] = contractRows([state], { ...CONTEXT, isNamedByUser: () => true });
    assert.equal(network?.children?.[0]?.label, "Alice");
  });

  it("shows balance, code, ABI and functions of an expanded contract", () => {
    const state = stateOf({}, { details: KNOWN });
    const { description, children = [] } = rowIn(state);

    assert.match(description, /^1\.5 TRX · T\w{5}…\w{4}$/);
    assert.deepEqual(
      children.map((it) => `${it.label}: ${it.description}`),
      [
        `Address: ${toBase58(BOB)}`,
        "Balance: 1.5 TRX",
        "Code: same code as contracts/TeaHouse.sol",
        "ABI: TeaHouse (build/contracts/TeaHouse.json)",
        "Read: 1",
        "Call: 1",
      ],
    );
  });

  it("warns in the row of the contract when its code differs", () => {
    const code = { kind: "differs", artifact: "contracts/TeaHouse.sol" } as const;
    const row = rowIn(stateOf({}, { details: { ...KNOWN, code } }));

    assert.match(row.description, /^code differs · /);
    assert.equal(row.icon, "warning");
  });

  it("names the functions with the arguments of their commands, and shows values in place of types", () => {
    const values = new Map([["price()", { kind: "value", text: "2000000", named: "2000000" } as const]]);
    const read = rowIn(stateOf({}, { details: KNOWN, values }), "Read", "price()");
    const call = rowIn(stateOf({}, { details: KNOWN, values }), "Call", "pour(address to, uint8 cups)");

    assert.equal(read.description, "= 2000000");
    assert.equal(read.contextValue, "contractFunction.read+value");
    assert.equal(rowIn(stateOf({}, { details: KNOWN }), "Read", "price()").contextValue, "contractFunction.read");
    assert.deepEqual([read.network, read.contract, read.function], ["Nile", toBase58(BOB), "price()"]);
    assert.equal(rowIn(stateOf({}, { details: KNOWN }), "Read", "price()").description, "→ uint256");
    assert.deepEqual([call.command, call.function], ["finality.callContract", "pour(address,uint8)"]);
  });

  it("names the addresses of a value, and has them in the tooltip", () => {
    const values = new Map([["price()", { kind: "value", text: toBase58(BOB), named: "Bob" } as const]]);
    const row = rowIn(stateOf({}, { details: KNOWN, values }), "Read", "price()");

    assert.equal(row.description, "= Bob");
    assert.ok(row.tooltip?.endsWith(`= ${toBase58(BOB)}`), row.tooltip);
  });

  it("shows the failure of a read in the row of the function", () => {
    const values = new Map([["price()", { kind: "failed", reason: "Reverted:\nclosed" } as const]]);

    assert.equal(
      rowIn(stateOf({}, { details: KNOWN, values }), "Read", "price()").description,
      "failed: Reverted: closed",
    );
  });

  it("shows the implementation of a proxy by name, and the source of its address", () => {
    const proxy = { kind: "eip-1967", implementation: ALICE, source: "function" } as const;
    const row = rowIn(stateOf({}, { details: { ...KNOWN, proxy } }), "Proxy");

    assert.equal(row.description, "→ Alice · EIP-1967");
    assert.match(row.tooltip, /which can return anything/);
  });

  it("states that the implementation of a proxy is not readable", () => {
    const proxy = { kind: "eip-1822", implementation: undefined, source: "function" } as const;

    const row = rowIn(stateOf({}, { details: { ...KNOWN, proxy } }), "Proxy");
    assert.equal(row.description, "implementation not readable · EIP-1822");
  });

  it("states that there is no contract at a recorded address", () => {
    const row = rowIn(stateOf({ source: "recorded" }, { details: { kind: "missing" } }));

    assert.match(row.description, /^not on this network/);
    assert.equal(row.children?.[1]?.label, "There is no contract at this address on Nile.");
  });

  it("gives every row another ID", () => {
    const ids: string[] = [];
    const collect = (rows: readonly ContractRow[]): void => {
      for (const it of rows) {
        ids.push(it.id);
        collect(it.children ?? []);
      }
    };
    const far = parseAddress(`41${"7".repeat(40)}`);
    collect(contractRows([stateOf({}, { details: KNOWN }), stateOf({ address: far }, { details: KNOWN })], CONTEXT));

    assert.equal(new Set(ids).size, ids.length);
  });
});
