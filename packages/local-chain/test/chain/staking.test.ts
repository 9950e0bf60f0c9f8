import assert from "node:assert/strict";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { signedContract } from "../../../../test/support/chain/contract-fixture.ts";
import { checkStakes, coinsIn } from "../../../../test/support/chain/replayed-balances.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { addressToBytes } from "../../../tron/src/primitives/address.ts";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import * as schemas from "../../../tron/src/transaction/gen/transaction_pb.js";
import type { PrivateKey } from "../../../tron/src/transaction/signature.ts";
import { Refusal } from "../../src/chain/refusal.ts";
import type { ChainTransaction } from "../../src/chain/transaction.ts";
import { createSimulation, type Simulation } from "../../src/simulation/simulation.ts";

const ACCOUNTS = 3;
const DAY_MS = 86_400_000;

const anyStep = fc.record({
  kind: fc.constantFrom("stake", "unstake", "delegate", "undelegate", "withdraw", "cancel", "pass"),
  from: fc.nat(ACCOUNTS - 1),
  to: fc.nat(ACCOUNTS - 1),
  resource: fc.nat(1),
  amount: fc.bigInt({ min: 0n, max: 4_000_000_000n }),
  lock: fc.boolean(),
  days: fc.nat(10),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

describe("stake balances", () => {
  it("balance to the sun after random steps, and delegation queries agree", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 40 }), async (steps) => {
        const simulation = await createSimulation({ seed: "stakes", blockTimeMs: 0, accounts: ACCOUNTS });
        const { chain } = simulation;
        const addresses = simulation.accounts.map(({ hex }) => hex);
        const before = coinsIn(chain.pendingState, addresses);

        for (const step of steps) execute(simulation, step);

        assert.equal(coinsIn(chain.pendingState, addresses), before);
        checkStakes(chain.pendingState, addresses);
        const accounts = addresses.flatMap((address) => chain.pendingState.account(address) ?? []);
        const delegations = accounts.flatMap((it) => it.delegations);
        for (const { address, lenders } of accounts)
          assert.equal(lenders.length, delegations.filter(({ to }) => to === address).length);
      }),
      { numRuns: howOften(15, 400) },
    );
  }).timeout(120_000);
});

/** Submits the step's transaction, which the chain may refuse, and produces a block. */
function execute(simulation: Simulation, step: Step): void {
  const { chain } = simulation;
  try {
    if (step.kind === "pass") chain.warp(step.days * DAY_MS);
    else chain.submit(transactionOf(simulation, step));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
  }
  chain.produceBlock();
}

function transactionOf({ chain, accounts }: Simulation, step: Step): ChainTransaction {
  const { kind, resource, amount, lock } = step;
  const [sender, receiver] = [accounts[step.from], accounts[step.to]];
  assert.ok(sender && receiver);
  const ownerAddress = addressToBytes(sender.hex);
  const receiverAddress = addressToBytes(receiver.hex);
  const sign = <Schema extends DescMessage>(schema: Schema, message: MessageInitShape<Schema>): ChainTransaction =>
    signedContract(chain, hexToBytes(sender.privateKey) as PrivateKey, schema, message);
  switch (kind) {
    case "stake":
      return sign(schemas.FreezeBalanceV2ContractSchema, { ownerAddress, frozenBalance: amount, resource });
    case "unstake":
      return sign(schemas.UnfreezeBalanceV2ContractSchema, { ownerAddress, unfreezeBalance: amount, resource });
    case "delegate": {
      const delegation = { ownerAddress, receiverAddress, balance: amount, resource, lock };
      return sign(schemas.DelegateResourceContractSchema, delegation);
    }
    case "undelegate": {
      const delegation = { ownerAddress, receiverAddress, balance: amount, resource };
      return sign(schemas.UnDelegateResourceContractSchema, delegation);
    }
    case "withdraw":
      return sign(schemas.WithdrawExpireUnfreezeContractSchema, { ownerAddress });
    default:
      return sign(schemas.CancelAllUnfreezeV2ContractSchema, { ownerAddress });
  }
}
