import assert from "node:assert/strict";
import fc from "fast-check";
import { signedContract } from "../../../../test/support/chain/signed-contract.ts";
import { type Address, addressToBytes } from "../../../tron/src/primitives/address.ts";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import {
  CancelAllUnfreezeV2ContractSchema,
  DelegateResourceContractSchema,
  FreezeBalanceV2ContractSchema,
  UnDelegateResourceContractSchema,
  UnfreezeBalanceV2ContractSchema,
  WithdrawExpireUnfreezeContractSchema,
} from "../../../tron/src/transaction/gen/transaction_pb.js";
import type { PrivateKey } from "../../../tron/src/transaction/signature.ts";
import type { Account } from "../../src/chain/account.ts";
import type { Blockchain } from "../../src/chain/blockchain.ts";
import { Refusal } from "../../src/chain/refusal.ts";
import type { ChainTransaction } from "../../src/chain/transaction.ts";
import { createSimulation, type Simulation } from "../../src/simulation/simulation.ts";

const PEOPLE = 3;
const DAY_MS = 86_400_000;

const person = fc.nat(PEOPLE - 1);
const sun = fc.bigInt({ min: 0n, max: 4_000_000_000n });
const resource = fc.nat(1);
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("stake" as const), by: person, resource, amount: sun }),
  fc.record({ kind: fc.constant("unstake" as const), by: person, resource, amount: sun }),
  fc.record({ kind: fc.constant("lend" as const), by: person, to: person, resource, amount: sun, lock: fc.boolean() }),
  fc.record({ kind: fc.constant("takeBack" as const), by: person, to: person, resource, amount: sun }),
  fc.record({ kind: fc.constantFrom("withdraw" as const, "cancel" as const), by: person }),
  fc.record({ kind: fc.constant("pass" as const), days: fc.nat(10) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

describe("stake balances", () => {
  it("balance to the sun after random steps, and delegation queries agree", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 40 }), async (steps) => {
        const simulation = await createSimulation({ seed: "books", blockTimeMs: 0, accounts: PEOPLE });
        const before = coins(simulation);
        for (const step of steps) take(simulation, step);
        assert.equal(coins(simulation), before);
        checkTotals(simulation);
      }),
      { numRuns: 40 },
    );
  }).timeout(60_000);
});

function take(simulation: Simulation, step: Step): void {
  const { chain } = simulation;
  if (step.kind === "pass") {
    chain.warp(step.days * DAY_MS);
    chain.produceBlock();
    return;
  }
  try {
    chain.submit(transactionOf(simulation, step));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
  }
  chain.produceBlock();
}

function transactionOf({ chain, accounts }: Simulation, step: Exclude<Step, { kind: "pass" }>): ChainTransaction {
  const key = hexToBytes(accounts[step.by]?.privateKey ?? "") as PrivateKey;
  const ownerAddress = addressToBytes(addressOf(accounts, step.by));
  switch (step.kind) {
    case "stake":
      return signedContract(chain, key, FreezeBalanceV2ContractSchema, {
        ownerAddress,
        frozenBalance: step.amount,
        resource: step.resource,
      });
    case "unstake":
      return signedContract(chain, key, UnfreezeBalanceV2ContractSchema, {
        ownerAddress,
        unfreezeBalance: step.amount,
        resource: step.resource,
      });
    case "lend":
      return signedContract(chain, key, DelegateResourceContractSchema, {
        ownerAddress,
        receiverAddress: addressToBytes(addressOf(accounts, step.to)),
        balance: step.amount,
        resource: step.resource,
        lock: step.lock,
      });
    case "takeBack":
      return signedContract(chain, key, UnDelegateResourceContractSchema, {
        ownerAddress,
        receiverAddress: addressToBytes(addressOf(accounts, step.to)),
        balance: step.amount,
        resource: step.resource,
      });
    case "withdraw":
      return signedContract(chain, key, WithdrawExpireUnfreezeContractSchema, { ownerAddress });
    case "cancel":
      return signedContract(chain, key, CancelAllUnfreezeV2ContractSchema, { ownerAddress });
  }
}

function addressOf(accounts: Simulation["accounts"], index: number): Address {
  const account = accounts[index];
  assert.ok(account);
  return account.hex;
}

function people({ chain, accounts }: Simulation): readonly Account[] {
  return accounts.flatMap(({ hex }) => chain.pendingState.account(hex) ?? []);
}

/** Sum of all balances and burnt coins. */
function coins(simulation: Simulation): bigint {
  const owned = people(simulation).map(({ balance, stake, lent, unstaking }) => {
    const returning = unstaking.reduce((sum, { amount }) => sum + amount, 0n);
    return balance + stake.bandwidth + stake.energy + stake.tronPower + lent.bandwidth + lent.energy + returning;
  });
  return owned.reduce((sum, it) => sum + it, burnt(simulation.chain));
}

function burnt(chain: Blockchain): bigint {
  return chain.pendingState.totals.burnt;
}

function checkTotals(simulation: Simulation): void {
  const everybody = people(simulation);
  const { weight } = simulation.chain.pendingState.totals;
  for (const name of ["bandwidth", "energy"] as const) {
    const whole = everybody.map(({ stake, lent }) => (stake[name] + lent[name]) / 1_000_000n);
    assert.equal(
      weight[name],
      whole.reduce((sum, it) => sum + it, 0n),
    );
    for (const { address, lent, borrowed, delegations: loans, lenders } of everybody) {
      const out = loans.map(({ free, locked }) => free[name] + locked[name].amount);
      assert.equal(
        lent[name],
        out.reduce((sum, it) => sum + it, 0n),
      );
      const received = everybody.flatMap((it) => it.delegations.filter(({ to }) => to === address));
      const sum = received.reduce((total, { free, locked }) => total + free[name] + locked[name].amount, 0n);
      assert.equal(borrowed[name], sum);
      assert.equal(lenders.length, received.length);
    }
  }
}
