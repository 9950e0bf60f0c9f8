import assert from "node:assert/strict";
import { type Address, parseAddress, toBase58 } from "../../../../packages/tron/src/primitives/address.ts";
import type { KnownName, NamedAddress } from "../../../../packages/tron/src/primitives/labels.ts";
import { loadWithEditor } from "../../../support/fakes/fake-editor.ts";

type NamesModule = typeof import("../../../../src/host/addresses/address-names.ts");
const { namesBeside, withoutTakenNames } = await loadWithEditor<NamesModule>("src/host/addresses/address-names.ts");

const at = (digit: string): Address => parseAddress(`41${digit.repeat(40)}`);
const [OWN, BOB, EVE] = [at("1"), at("b"), at("e")];
const end = (address: Address): string => `(…${toBase58(address).slice(-6)})`;
const ACCOUNTS = [{ address: OWN, label: "Savings" }];

function source(
  list: readonly KnownName[],
  claims: readonly NamedAddress[] = [],
  contracts: readonly NamedAddress[] = [],
) {
  const onDidChange = () => ({ dispose: () => undefined });
  return { list: () => list, claims: () => claims, contracts: () => contracts, onDidChange };
}

describe("namesBeside", () => {
  it("returns the names of the address book as recipients", () => {
    const { named, nameOf } = namesBeside(ACCOUNTS, source([{ address: BOB, name: "Bob" }]));

    assert.deepEqual(named, [{ address: BOB, label: "Bob", watchOnly: true, note: "address book" }]);
    assert.equal(nameOf(BOB), "Bob");
    assert.equal(nameOf(EVE), undefined);
  });

  it("appends a part of the address to look-alike names", () => {
    const { nameOf } = namesBeside(
      ACCOUNTS,
      source([
        { address: BOB, name: "Sаvings" },
        { address: EVE, name: "Eve" },
      ]),
    );

    assert.equal(nameOf(BOB), `Sаvings ${end(BOB)}`);
    assert.equal(nameOf(EVE), "Eve");
  });

  it("H7: marks a name whose address changed", () => {
    const { named } = namesBeside(ACCOUNTS, source([{ address: EVE, name: "Bob", was: BOB }]));

    assert.equal(named[0]?.label, `Bob ${end(EVE)}`);
    assert.match(named[0]?.note ?? "", /changed, was another address before/);
  });

  it("shows workspace names as claims, and not as recipients", () => {
    const { named, nameOf } = namesBeside(ACCOUNTS, source([], [{ address: EVE, name: "Treasury” (yours) “" }]));

    assert.deepEqual(named, []);
    const short = `${toBase58(EVE).slice(0, 6)}…${toBase58(EVE).slice(-4)}`;
    assert.equal(nameOf(EVE), `${short} (“Treasury" (yours) "” in this workspace)`);
    assert.ok((nameOf(EVE) ?? "").length <= 60);
  });

  it("returns the names of deployed contracts, which are no recipients", () => {
    const { named, nameOf } = namesBeside(ACCOUNTS, source([], [], [{ address: BOB, name: "TeaHouse" }]));

    assert.deepEqual([named, nameOf(BOB)], [[], "TeaHouse"]);
  });

  it("appends a part of the address to contracts with the name of an account, of the address book or of another", () => {
    const contracts = [
      { address: BOB, name: "savings" },
      { address: EVE, name: "Leaf" },
      { address: at("f"), name: "Leaf" },
      { address: at("9"), name: "Till" },
    ];
    const { nameOf } = namesBeside(ACCOUNTS, source([{ address: at("8"), name: "Till" }], [], contracts));

    assert.equal(nameOf(BOB), `savings ${end(BOB)}`);
    assert.deepEqual([nameOf(EVE), nameOf(at("f"))], [`Leaf ${end(EVE)}`, `Leaf ${end(at("f"))}`]);
    assert.deepEqual([nameOf(at("9")), nameOf(at("8"))], [`Till ${end(at("9"))}`, "Till"]);
  });

  it("prefers the user's name of a contract, and a deployed contract to a claim", () => {
    const contracts = [
      { address: BOB, name: "TeaHouse" },
      { address: EVE, name: "Leaf" },
    ];
    const claims = [
      { address: EVE, name: "Treasury" },
      { address: at("f"), name: "Leaf" },
    ];
    const { nameOf } = namesBeside(ACCOUNTS, source([{ address: BOB, name: "Shop" }], claims, contracts));

    assert.deepEqual([nameOf(BOB), nameOf(EVE), nameOf(at("f"))], ["Shop", "Leaf", undefined]);
  });

  it("ignores workspace names that the user's names override", () => {
    const { nameOf } = namesBeside(
      ACCOUNTS,
      source(
        [{ address: BOB, name: "Bob" }],
        [
          { address: EVE, name: "SAVINGS" },
          { address: BOB, name: "Thief" },
        ],
      ),
    );

    assert.equal(nameOf(EVE), undefined);
    assert.equal(nameOf(BOB), "Bob");
  });

  it("A1: keeps a book entry when an account takes its name later", () => {
    const accounts = [{ address: EVE, label: "treasury" }];
    const book = [{ address: BOB, name: "Treasury" }];
    const meantBob = withoutTakenNames(accounts, book, () => BOB);
    const meantEve = withoutTakenNames(accounts, book, () => EVE);

    assert.match(meantBob[0]?.label ?? "", /^treasury \(….{6}\)$/);
    assert.deepEqual(
      namesBeside(meantBob, source(book)).named.map(({ label }) => label),
      ["Treasury"],
    );
    assert.deepEqual(meantEve, accounts);
    assert.deepEqual(
      withoutTakenNames(accounts, [{ address: EVE, name: "Treasury" }], () => BOB),
      accounts,
    );
  });
});
