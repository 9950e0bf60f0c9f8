import type { Actuators } from "../../../packages/local-chain/src/chain/execution.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { hex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { ContractResult } from "../../../packages/tron/src/transaction/contract-types.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import type { Person } from "./chain-bench.ts";

const CONTRACT = parseAddress(`41${"cc".repeat(20)}`);
const ENERGY = 345n;

/**
 * An actuator in place of the virtual machine: every call is included and fails with the result that stands in its
 * data.
 */
export const failingContracts: Actuators = {
  TriggerSmartContract: {
    validate: () => undefined,
    execute: ({ contract }) => ({
      result: Buffer.from((contract.message as unknown as { data: Uint8Array }).data).toString(
        "utf8",
      ) as ContractResult,
      fee: 0n,
      outcome: {
        contractAddress: CONTRACT,
        returned: hex(""),
        logs: [],
        message: "it failed",
        energy: { total: ENERGY, fromCaller: ENERGY, fromOwner: 0n, fee: 0n, penalty: 0n },
      },
    }),
  },
};

/** A call that is included and fails like this. */
export function failingCall(owner: Person, result: ContractResult): Intent {
  const data = hex(Buffer.from(result).toString("hex"));
  const common = { owner: owner.address, contract: CONTRACT, callValue: sun(0n), feeLimit: sun(1_000_000n) };
  return { kind: "contract-call", data, ...common };
}
