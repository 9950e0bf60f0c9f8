import { bytesToHex } from "../../core/primitives/bytes.ts";
import type { FreezeBalanceV2Contract } from "../../core/transaction/gen/transaction_pb.js";
import type { Actuator, Execution } from "../chain/actuator.ts";
import { invalidContract } from "../chain/refusal.ts";
import { PURPOSES, type StakePurpose, SUN_PER_COIN } from "../chain/stake.ts";
import { stakeCoins } from "../chain/staking.ts";
import { ownAccount, requireStaking } from "./stake-owner.ts";

/** Stakes coins for bandwidth, energy or votes (FreezeBalanceV2Actuator). */
export const freezeBalance: Actuator = {
  validate(execution) {
    requireStaking(execution, "FreezeV2");
    const { ownerAddress, frozenBalance } = messageOf(execution);
    const account = ownAccount(execution, ownerAddress, `Account[${bytesToHex(ownerAddress)}] not exists`);
    checkFrozenBalance(frozenBalance, account.balance);
    purposeOf(execution);
  },

  execute(execution) {
    const { ownerAddress, frozenBalance } = messageOf(execution);
    const account = ownAccount(execution, ownerAddress, "Invalid address");
    stakeCoins(execution.ledger, account, purposeOf(execution), frozenBalance);
    return { result: "SUCCESS", fee: 0n };
  },
};

/**
 * The checks of an amount that is to be staked. The closed first version of staking has them too.
 *
 * @throws {Refusal}
 */
export function checkFrozenBalance(amount: bigint, balance: bigint): void {
  if (amount <= 0n) throw invalidContract("frozenBalance must be positive");
  if (amount < SUN_PER_COIN) throw invalidContract("frozenBalance must be greater than or equal to 1 TRX");
  if (amount > balance) throw invalidContract("frozenBalance must be less than or equal to accountBalance");
}

function messageOf({ contract }: Execution): FreezeBalanceV2Contract {
  return contract.message as FreezeBalanceV2Contract;
}

function purposeOf(execution: Execution): StakePurpose {
  const votes = execution.parameters.getAllowNewResourceModel === 1;
  const purpose = PURPOSES[messageOf(execution).resource];
  if (purpose !== undefined && (purpose !== "tronPower" || votes)) return purpose;
  throw invalidContract(`ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY${votes ? "、TRON_POWER" : ""}]`);
}
