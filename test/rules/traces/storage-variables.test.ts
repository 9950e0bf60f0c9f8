import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { hashPreimages, readStorageLayout, variableChanges } from "../../../packages/client/src/traces.ts";
import type { Json } from "../../../packages/tron/src/primitives/json.ts";
import { isForeignText, rawText } from "../../../packages/tron/src/primitives/plain-text.ts";
import { readTrace, type Trace } from "../../../packages/tron/src/traces.ts";
import { type ContractFixture, contractFixture } from "../../support/chain/contract-fixture.ts";

/** Longer than the block of Keccak-256, which has 136 bytes. */
const LONG_KEY = "key ".repeat(50);
const OWNER = `0x${"11".repeat(20)}`;
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Base { uint256 internal total; }
contract Vault is Base {
    enum State { Open, Closed }
    struct Order { uint64 price; bool paid; address buyer; uint256[] parts; }
    uint128 low;
    uint64 high;
    State state;
    int8 shift;
    address owner;
    string name;
    bytes32 root;
    uint16[] small;
    uint256[3] fixedList;
    mapping(address => uint256) balances;
    mapping(string => mapping(uint256 => Order)) orders;
    Order first;
    function run() external {
        total = 5;
        low = 7; high = 9;
        state = State.Closed;
        shift = -3;
        owner = ${OWNER};
        name = "short";
        root = keccak256("root");
        small.push(1); small.push(2);
        fixedList[2] = 8;
        balances[msg.sender] = 100;
        orders["a b"][4].price = 11;
        orders["a b"][4].parts.push(12);
        orders["${LONG_KEY}"][1].price = 14;
        first.buyer = ${OWNER};
        first.paid = true;
        first.parts.push(13);
        name = "a text that does not fit into the thirty-two bytes of one slot";
    }
}`;

describe("variables of storage writes", () => {
  let names: readonly string[];
  let fixture: ContractFixture;

  before(async function compileAndRun() {
    this.timeout(300_000);
    const { compile } = createRequire(import.meta.url)("solc") as { compile(input: string): string };
    const outputSelection = { "*": { "*": ["evm.bytecode.object", "evm.methodIdentifiers", "storageLayout"] } };
    const settings = { evmVersion: "shanghai", optimizer: { enabled: true }, outputSelection };
    const input = { language: "Solidity", sources: { "Vault.sol": { content: SOURCE } }, settings };
    const output = JSON.parse(compile(JSON.stringify(input)));
    const { evm, storageLayout } = output.contracts["Vault.sol"].Vault;
    fixture = await contractFixture();
    const { address } = await fixture.deploy(evm.bytecode.object);
    const trace = await traced({ to: address, data: evm.methodIdentifiers["run()"] });
    const layout = readStorageLayout(storageLayout) ?? assert.fail();
    const preimages = hashPreimages(trace);
    names = trace.writes.flatMap((write) =>
      variableChanges(layout, write, preimages).map(
        (it) => `${it.name} ${it.type} ${text(it.before)} ${text(it.after)}`,
      ),
    );
  });

  async function traced(call: { readonly [name: string]: Json }): Promise<Trace> {
    const options = { steps: true, stack: true, memory: true };
    const params = [{ from: fixture.chain.accounts[0]?.hex ?? "", feeLimit: 500_000_000, ...call }, options];
    const { result } = await fixture.chain.ask("/tre", { jsonrpc: "2.0", id: 1, method: "finality_traceCall", params });
    return readTrace(result);
  }

  function text(value: unknown): string {
    return isForeignText(value) ? JSON.stringify(rawText(value)) : String(value);
  }

  const expected = {
    "an inherited variable": "total uint256 0 5",
    "packed variables": "high uint64 0 9",
    "an enum": "state enum Vault.State 0 1",
    "a signed number": "shift int8 0 -3",
    "an address": `owner address 41${"00".repeat(20)} 41${"11".repeat(20)}`,
    "a short text": 'name string "" "short"',
    "a long text": 'name string "short" undefined',
    "an array": "small.length uint16[] 0 1",
    "an element of a packed array": "small[1] uint16 0 2",
    "an element of a fixed array": "fixedList[2] uint256 0 8",
    "a member in nested mappings": 'orders["a b"][4].price uint64 0 11',
    "an array in a struct of a mapping": 'orders["a b"][4].parts[0] uint256 0 12',
    "an entry with a long key": `orders["${LONG_KEY}"][1].price uint64 0 14`,
    "a member of a struct": "first.paid bool false true",
    "an array in a struct": "first.parts[0] uint256 0 13",
  };
  for (const [title, name] of Object.entries(expected))
    it(`names ${title}`, () => assert.ok(names.includes(name), `${name} is not in\n${names.join("\n")}`));

  it("names a value of a mapping", () => {
    const caller = fixture.chain.accounts[0]?.address;
    assert.ok(names.includes(`balances[${caller}] uint256 0 100`), names.join("\n"));
  });

  it("names nothing without a layout or the hash of a slot", () => {
    assert.equal(readStorageLayout(null), undefined);
    const layout = readStorageLayout({ storage: [], types: {} }) ?? assert.fail();
    const word = "0".repeat(64);
    assert.deepEqual(variableChanges(layout, { slot: word, before: word, after: word }), []);
  });
});
