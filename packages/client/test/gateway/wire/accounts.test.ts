import assert from "node:assert/strict";
import { loadExchanges } from "../../../../../test/support/recorded/exchanges.ts";
import { isChainError } from "../../../../tron/src/errors/chain-error.ts";
import { type Address, parseAddress } from "../../../../tron/src/primitives/address.ts";
import { isJsonObject, type Json, type JsonObject, printJson } from "../../../../tron/src/primitives/json.ts";
import { rawText } from "../../../../tron/src/primitives/plain-text.ts";
import {
  parseAccount,
  parseBrokerage,
  parseDelegationIndex,
  parseDelegations,
  parseDeployedContract,
  parsePermissions,
  parseRequiredEnergy,
  parseSimulatedRun,
  parseTrc10Token,
  parseWitnesses,
} from "../../../src/gateway/wire/accounts.ts";
import { FieldFault, readAnswer } from "../../../src/gateway/wire/answer.ts";

const bodyOf = (name: string): Json => loadExchanges("resources").find((it) => it.case === name)?.responseBody ?? {};
const address = "41ab8dfe5fb694a42f8d6bdf2aef4613a7d5c68f63";

describe("stake for the energy of an account", () => {
  it("is 0 for a new account, and the delegation to an account without stakes", () => {
    assert.equal(parseAccount(bodyOf("account-fresh"))?.energyStake, 0n);
    assert.equal(parseAccount(bodyOf("account-delegated-receiver"))?.energyStake, 400_000_000n);
  });

  it("is the sum of old and new stakes, own and delegated", () => {
    const account = {
      address,
      frozenV2: [{ amount: 7 }, { type: "ENERGY", amount: 1 }, { type: "TRON_POWER" }],
      account_resource: {
        frozen_balance_for_energy: { frozen_balance: 20, expire_time: 1 },
        acquired_delegated_frozenV2_balance_for_energy: 300,
        acquired_delegated_frozen_balance_for_energy: 4_000,
      },
    };

    assert.equal(parseAccount(account)?.energyStake, 4_321n);
  });
});

describe("parseAccount stakes", () => {
  it("are the own, delegated, received and unstaked amounts of a real node", () => {
    const lender = parseAccount(bodyOf("account-unfreezing"))?.stakes;
    const borrower = parseAccount(bodyOf("account-delegated-receiver"))?.stakes;

    assert.deepEqual(lender, {
      own: { BANDWIDTH: 400_000_000n, ENERGY: 700_000_000n, TRON_POWER: 0n },
      delegated: { BANDWIDTH: 100_000_000n, ENERGY: 100_000_000n },
      received: { BANDWIDTH: 0n, ENERGY: 0n },
      unstaking: [{ purpose: "ENERGY", amount: 200_000_000n, due: 1_796_440_980_000 }],
    });
    assert.deepEqual(borrower?.received, { BANDWIDTH: 100_000_000n, ENERGY: 400_000_000n });
  });

  it("are refused when a field is not an amount", () => {
    assert.throws(() => parseAccount({ address, frozenV2: [{ type: "ENERGY", amount: "much" }] }));
    assert.throws(() => parseAccount({ address, unfrozenV2: [{ unfreeze_amount: 1, unfreeze_expire_time: -1 }] }));
  });
});

describe("votes", () => {
  it("are those of the account, or none", () => {
    const account = { address, votes: [{ vote_address: address, vote_count: 7 }], latest_withdraw_time: 3 };

    assert.deepEqual(parseAccount(account)?.votes, [{ witness: address, count: 7n }]);
    assert.equal(parseAccount(account)?.rewardWithdrawnAt, 3);
    assert.deepEqual(parseAccount({ address })?.votes, []);
    assert.throws(() => parseAccount({ address, votes: [{ vote_address: "no address", vote_count: 7 }] }));
  });

  it("can be cast for the witnesses of a real node", () => {
    const witnesses = parseWitnesses(bodyOf("listwitnesses"));

    assert.deepEqual(witnesses.map((it) => [it.address, it.votes, rawText(it.url), it.producesBlocks]).slice(0, 1), [
      ["41b60e20f5a2ac1569ec1bc1008a319fc41be74625", 999_996n, "http://w5.invalid", true],
    ]);
    assert.deepEqual(parseWitnesses({}), []);
    assert.throws(() => parseWitnesses({ witnesses: [{ address: "no address" }] }));
  });

  it("return the remainder of a percentage", () => {
    assert.equal(parseBrokerage({ brokerage: 20 }), 20n);
    assert.equal(parseBrokerage({}), 0n);
    assert.throws(() => parseBrokerage({ brokerage: 101 }));
    assert.throws(() => parseBrokerage({ brokerage: -1 }));
  });
});

describe("parseAccount recovery", () => {
  it("reads a window in thousandths of a slot, in slots, or none", () => {
    assert.deepEqual(parseAccount(bodyOf("account-unfreezing"))?.recovery, {
      freeBandwidthUsedAt: 1_795_231_362_000,
      bandwidthMs: 86_326_062,
      energyMs: 86_391_000,
    });
    assert.equal(parseAccount({ address, net_window_size: 28_800 })?.recovery?.bandwidthMs, 86_400_000);
    assert.deepEqual(parseAccount({ address })?.recovery, {
      freeBandwidthUsedAt: undefined,
      bandwidthMs: undefined,
      energyMs: undefined,
    });
  });
});

describe("delegations", () => {
  const lender = "41a75883d9e81633a362da999ee98a793b3852d32b";

  it("have two sides and separate locked amounts, as a real node reports them", () => {
    assert.deepEqual(parseDelegationIndex(bodyOf("delegatedresourceaccountindexv2")), {
      receivers: [address],
      owners: [],
    });
    const parties = { from: lender, to: address };
    assert.deepEqual(parseDelegations(bodyOf("delegatedresourcev2")), [
      { ...parties, resource: "BANDWIDTH", amount: 100_000_000n, lockedUntil: 0 },
      { ...parties, resource: "ENERGY", amount: 300_000_000n, lockedUntil: 0 },
      { ...parties, resource: "ENERGY", amount: 100_000_000n, lockedUntil: 1_795_231_668_000 },
    ]);
  });

  it("are none for an empty answer, and refused with an invalid field", () => {
    assert.deepEqual([parseDelegationIndex({}), parseDelegations({})], [{ receivers: [], owners: [] }, []]);
    assert.throws(() => parseDelegationIndex({ toAccounts: ["no address"] }));
    assert.throws(() => parseDelegations({ delegatedResource: [{ from: lender, frozen_balance_for_energy: 1 }] }));
  });
});

describe("TRC-10 token", () => {
  it("has at most the decimals that the chain allows", () => {
    const token = { id: "1000001", name: "54", owner_address: address };

    assert.equal(parseTrc10Token({ ...token, precision: 6 })?.decimals, 6);
    assert.throws(() => parseTrc10Token({ ...token, precision: 7 }));
    assert.throws(() => parseTrc10Token({ ...token, precision: 9_000_000_000 }));
  });

  it("is omitted from an account when its ID is not a number", () => {
    const assetV2 = [
      { key: "1000001", value: 7 },
      { key: "$(check) free", value: 7 },
    ];
    assert.deepEqual([...(parseAccount({ address, assetV2 })?.trc10 ?? [])], [["1000001", 7n]]);
  });
});

const OWNER = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
const MASK = `7fff1fc0033e0108${"00".repeat(24)}`;
const keys = [{ address: OWNER, weight: 1 }];
const active: JsonObject = { type: "Active", id: 2, permission_name: "active", threshold: 1, operations: MASK, keys };
const account = (change: JsonObject = {}): JsonObject => ({
  owner_permission: { permission_name: "owner", threshold: 1, keys },
  active_permission: [active],
  ...change,
});
const refused = (change: JsonObject, reason: RegExp): void =>
  assert.throws(() => parsePermissions(account(change), OWNER), reason);

describe("parseAccount permissions", () => {
  it("are read as a node prints them", () => {
    const { owner, witness, actives } = parsePermissions(
      account({ witness_permission: { type: "Witness", id: 1, permission_name: "witness", threshold: 1, keys } }),
      OWNER,
    );

    assert.deepEqual([owner.id, rawText(owner.name), owner.threshold], [0, "owner", 1n]);
    assert.deepEqual(owner.keys, [{ address: OWNER as Address, weight: 1n }]);
    assert.equal(witness?.id, 1);
    assert.deepEqual(
      actives.map(({ id, operations }) => [id, operations]),
      [[2, MASK]],
    );
  });

  it("are those of the own key for an account older than permissions", () => {
    const { owner, actives } = parsePermissions({}, OWNER);

    assert.deepEqual(owner.keys, [{ address: OWNER, weight: 1n }]);
    assert.deepEqual(actives, []);
  });

  it("are refused with values that no chain has", () => {
    const owner = (change: JsonObject) => ({ owner_permission: { threshold: 1, keys, ...change } });
    refused(owner({ threshold: 0 }), /threshold is not greater than 0/);
    refused(owner({ threshold: "2" }), /threshold is not an integer/);
    refused(owner({ keys: [{ address: OWNER }] }), /weight is not greater than 0/);
    refused(owner({ keys: [{ address: OWNER, weight: -1 }] }), /weight is not greater than 0/);
    refused(owner({ keys: [{ address: "41", weight: 1 }] }), /address is not an address/);
    refused(owner({ keys: [...keys, ...keys] }), /has a duplicate/);
    refused(owner({ keys: Array.from({ length: 9 }, () => keys[0] ?? null) }), /more keys than any chain/);
    refused({ owner_permission: "me" }, /is not an object/);
    refused({ active_permission: [active, active] }, /has a duplicate number/);
    refused({ active_permission: [{ ...active, id: 1 }] }, /id is 1/);
    refused({ active_permission: [{ ...active, operations: "7f" }] }, /mask of 32 bytes/);
    refused({ active_permission: {} }, /is not a list/);
  });
});

const recorded = (name: string): Json => {
  const found = loadExchanges("contracts").find((it) => it.case === name);
  assert.ok(found, name);
  return found.responseBody;
};
const refusal = (name: string, parse: (json: Json) => unknown) => {
  try {
    readAnswer({ endpoint: "https://api.chain.test", body: printJson(recorded(name)) }, parse);
  } catch (error) {
    assert.ok(isChainError(error) && error.code === "NODE_REFUSED", String(error));
    return [error.details.code, error.details.message];
  }
  return assert.fail("it was read");
};

describe("contract answers", () => {
  it("S72 return energy and data of a simulated run", () => {
    const run = parseSimulatedRun(recorded("constant-state-changing"));

    assert.deepEqual([run.reverted, run.energyUsed, run.energyPenalty], [false, 28_057n, 0n]);
    assert.equal(run.returned, `${"0".repeat(63)}6`);
  });

  it("S72 recognize a revert beside a true result, with and without hex", () => {
    for (const name of ["constant-revert-visible", "constant-deploy-revert"])
      assert.equal(parseSimulatedRun(recorded(name)).reverted, true, name);
    assert.match(parseSimulatedRun(recorded("constant-revert-visible")).returned, /^08c379a0/);
  });

  it("S73 return the energy that suffices", () => {
    assert.equal(parseRequiredEnergy(recorded("estimate-view")), 604n);
  });

  it("keep code and message of a refusal", () => {
    assert.deepEqual(refusal("estimate-revert-empty", parseRequiredEnergy), [
      "CONTRACT_EXE_ERROR",
      "REVERT opcode executed",
    ]);
    assert.equal(refusal("constant-contract-missing", parseSimulatedRun)[0], "OTHER_ERROR");
  });

  it("combine both queries for a contract, with its ABI in the compilers' form", () => {
    for (const name of ["getcontractinfo", "getcontract"]) {
      const contract = parseDeployedContract(recorded(name));
      assert.ok(contract);
      assert.deepEqual([contract.name, contract.callerPercent, contract.ownerEnergyLimit], ["T", 30n, 10_000_000n]);
      assert.match(contract.created, /^6080604052604051610ddc/);
      const get = contract.abi.find((entry) => entry.name === "assertFail");
      assert.deepEqual(get, {
        inputs: [],
        outputs: [],
        name: "assertFail",
        stateMutability: "nonpayable",
        type: "function",
      });
    }
  });

  it("refuse an ABI with a parameter without a type or nested too deep", () => {
    const abiOf = (inputs: Json): Json => ({
      ...contract,
      abi: { entrys: [{ type: "Function", name: "order", inputs }] },
    });
    const contract = recorded("getcontract") as { readonly [name: string]: Json };
    let deep: Json = [{ name: "cups", type: "uint256" }];
    for (let depth = 0; depth < 10_000; depth++) deep = [{ type: "tuple", components: deep }];

    for (const inputs of [[{ name: "cups" }], [{ name: "cups", type: 5 }], ["uint256"], deep] satisfies Json[]) {
      assert.throws(() => parseDeployedContract(abiOf(inputs)), FieldFault);
    }
    assert.equal(parseDeployedContract(abiOf([{ type: "uint256" }]))?.abi.length, 1);
  });

  it("return undefined for an address without a contract", () => {
    assert.ok(isJsonObject(recorded("getcontractinfo-unknown")));
    assert.equal(parseDeployedContract(recorded("getcontractinfo-unknown")), undefined);
  });
});
