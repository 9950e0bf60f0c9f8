import assert from "node:assert/strict";
import type { FunctionName } from "../../../../packages/client/src/labels/intents.ts";
import { type AbiIndex, candidateFromJson, createAbiIndex } from "../../../../packages/tron/src/abi/abi-index.ts";
import { selectorOf } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { type Address, parseAddress } from "../../../../packages/tron/src/primitives/address.ts";
import { nameText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import type { FunctionDescriber, SelectorNames } from "../../../../src/host/artifacts/selector-names.ts";
import { EventEmitter, loadWithEditor, memento } from "../../../support/fakes/fake-editor.ts";
import { ALICE, BOB, signedPart, tracked } from "../../../support/tracking/tracked.ts";

const ERROR = selectorOf("NotEnoughLeaves(address,uint256,uint256)");
const TRANSFER = selectorOf("transfer(address,uint256)");
const inputs = (...types: readonly string[]) => types.map((type) => ({ name: "", type }));
const ABI = [
  { type: "function", name: "transfer", inputs: inputs("address", "uint256") },
  { type: "error", name: "NotEnoughLeaves", inputs: inputs("address", "uint256", "uint256") },
];

const addressOf = (number: number): Address => parseAddress(`41${number.toString(16).padStart(40, "0")}`);

describe("SelectorNames", () => {
  const urls = new Map<string, string>();
  let create: (kept: ReturnType<typeof memento>) => SelectorNames;

  beforeEach(() => {
    urls.set("Shasta", "https://shasta.test").set("Nile", "https://nile.test");
  });

  before(async () => {
    const path = "src/host/artifacts/selector-names.ts";
    const module = await loadWithEditor<{ SelectorNames: new (services: unknown) => SelectorNames }>(path);
    const artifacts = { get: () => Promise.reject(new Error("there is no workspace")) };
    const urlOf = (network: string) => urls.get(network);
    create = (kept) => new module.SelectorNames({ artifacts, kept, urlOf, log: { error: () => undefined } });
  });

  const namesAt = (names: SelectorNames, key: string, contract: Address, network = "Shasta") =>
    names
      .indexAt({ network, contract })
      .lookup(key)
      .map(({ name, origin }) => `${name}: ${origin}`);

  it("returns names of a contract's ABI for this contract and network only", async () => {
    const names = create(memento());
    await names.keep("Shasta", BOB, ABI);

    assert.deepEqual(namesAt(names, TRANSFER, BOB), ["transfer: the ABI on the chain, according to its node"]);
    assert.deepEqual(namesAt(names, TRANSFER, ALICE), []);
    assert.deepEqual(namesAt(names, TRANSFER, BOB, "Nile"), []);
    assert.deepEqual(names.index.lookup(TRANSFER), []);
  });

  it("stores error names beyond the window", async () => {
    const kept = memento();
    await create(kept).keep("Shasta", BOB, ABI);
    const later = create(kept);

    assert.deepEqual(namesAt(later, TRANSFER, BOB), []);
    assert.deepEqual(namesAt(later, ERROR, BOB), ["NotEnoughLeaves: the ABI on the chain, according to its node"]);

    const withoutNames = memento();
    const types = ABI[1]?.inputs.map(({ type }) => ({ type }));
    await create(withoutNames).keep("Shasta", BOB, [
      { type: "error", inputs: [] },
      { ...ABI[1], inputs: types },
    ]);

    assert.deepEqual(namesAt(create(withoutNames), ERROR, BOB), [
      "NotEnoughLeaves: the ABI on the chain, according to its node",
    ]);
  });

  it("binds names to the URL of the network", async () => {
    const kept = memento();
    const names = create(kept);
    await names.keep("Shasta", BOB, ABI);
    urls.set("Old Shasta", "https://shasta.test").set("Shasta", "https://other.test");

    for (const it of [names, create(kept)]) {
      assert.deepEqual(namesAt(it, ERROR, BOB), []);
      assert.equal(namesAt(it, ERROR, BOB, "Old Shasta").length, 1);
      assert.deepEqual(namesAt(it, ERROR, BOB, "Shasta, as it was"), []);
    }
  });

  it("stores at most 100 contracts and no oversized ABI", async () => {
    const kept = memento();
    const names = create(kept);
    for (let number = 0; number < 105; number++) await names.keep("Shasta", addressOf(number), ABI);
    await names.keep("Shasta", ALICE, [{ ...ABI[1], name: "E".repeat(30_000) }]);
    const later = create(kept);

    assert.deepEqual(namesAt(later, ERROR, addressOf(4)), []);
    assert.equal(namesAt(later, ERROR, addressOf(104)).length, 1);
    assert.equal(JSON.stringify(kept.get("finality.chainAbis")).length < 40_000, true);
  });

  it("ignores malformed stored names", async () => {
    const errors = JSON.stringify([{ ...ABI[1], inputs: [{ name: "holder", type: 5 }] }]);
    const url = "https://shasta.test";
    const oddErrors = [{ url, contract: BOB, errors }];
    for (const state of ["x", [{ url, contract: BOB, errors: "{" }], [{ url: 1 }], oddErrors]) {
      const kept = memento();
      await kept.update("finality.chainAbis", state);

      assert.deepEqual(namesAt(create(kept), ERROR, BOB), []);
    }
  });

  it("notifies listeners of a new ABI and the loaded dictionary", async () => {
    const names = create(memento());
    let changes = 0;
    names.onDidChange(() => changes++);
    await names.keep("Shasta", BOB, ABI);
    await names.keep("Shasta", BOB, ABI);
    await names.nearlyReady();

    assert.equal(changes, 2, "one for the ABI, one for the dictionary");
    assert.ok(names.index.lookup(TRANSFER).length > 0, "the dictionary has it");
  });
});

describe("FunctionDescriber", () => {
  const CHAIN = "ab".repeat(32);
  const reserve = { type: "function", name: "reserve", inputs: inputs("uint256") };
  const collision = { type: "function", name: "hold", inputs: inputs("uint256") };

  async function describerOf(added: readonly object[] | undefined, index: AbiIndex) {
    const { FunctionDescriber: Describer } = await loadWithEditor<{ FunctionDescriber: typeof FunctionDescriber }>(
      "src/host/artifacts/selector-names.ts",
    );
    const [names, book] = [new EventEmitter<void>(), new EventEmitter<void>()];
    let changes = 0;
    const services = {
      names: async () => ({ onDidChange: names.event, nearlyReady: async () => undefined, indexAt: () => index }),
      contractBook: async () => ({
        onDidChange: book.event,
        find: (chain: string, contract: Address) =>
          chain === CHAIN && contract === BOB && added ? { abi: added } : undefined,
      }),
      networkOf: () => "Shop",
      log: { error: assert.ifError },
    };
    const describer = await Describer.load(services as never, () => changes++);
    names.fire();
    book.fire();
    assert.equal(changes, 2);
    const call = (contract: Address, data = `${selectorOf("reserve(uint256)")}00`) =>
      describer.functionOf(
        tracked({
          chain: CHAIN as never,
          signed: signedPart({
            ...{ kind: "contract-call", owner: ALICE, contract },
            data,
            callValue: 0n,
            feeLimit: 1n,
          } as never),
        }),
      );
    return { describer, call };
  }

  const shown = (it: FunctionName | undefined) => it && [nameText(it.name), it.isClaim];
  const indexOf = (...entries: readonly object[]): AbiIndex =>
    createAbiIndex(entries.flatMap((it) => candidateFromJson(it, "Other (build/Other.json)") ?? []));

  it("U23: is certain about a contract that the user added with its ABI, and claims every other name", async () => {
    const { call, describer } = await describerOf([reserve], indexOf(reserve));

    assert.deepEqual(shown(call(BOB)), ["reserve", false]);
    assert.deepEqual(shown(call(ALICE)), ["reserve", true]);
    assert.equal(call(BOB, "00"), undefined);
    assert.equal(describer.functionOf(tracked()), undefined);
    describer.dispose();
  });

  it("U23: finds no name for another selector", async () => {
    const { call } = await describerOf([collision], indexOf(collision));

    assert.deepEqual([call(BOB), call(ALICE)], [undefined, undefined]);
  });
});
