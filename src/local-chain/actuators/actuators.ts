import type { DecodedContract } from "../../core/transaction/raw-data-codec.ts";
import { invalidContract } from "../chain/refusal.ts";
import { accountCreate } from "./account-create.ts";
import { accountPermissionUpdate } from "./account-permission-update.ts";
import type { Actuator } from "./actuator.ts";
import { cancelAllUnfreeze } from "./cancel-all-unfreeze.ts";
import { clearAbi, updateEnergyLimit, updateSetting } from "./contract-settings.ts";
import { createSmartContract } from "./create-smart-contract.ts";
import { delegateResource } from "./delegate-resource.ts";
import { freezeBalance } from "./freeze-balance.ts";
import { transfer } from "./transfer.ts";
import { triggerSmartContract } from "./trigger-smart-contract.ts";
import { undelegateResource } from "./undelegate-resource.ts";
import { unfreezeBalance } from "./unfreeze-balance.ts";
import { withdrawExpireUnfreeze } from "./withdraw-expire-unfreeze.ts";

/** What a chain executes, by contract type. */
export interface Actuators {
  readonly [type: string]: Actuator;
}

export const systemActuators: Actuators = {
  AccountCreateContract: accountCreate,
  TransferContract: transfer,
  AccountPermissionUpdateContract: accountPermissionUpdate,
  CreateSmartContract: createSmartContract,
  TriggerSmartContract: triggerSmartContract,
  UpdateSettingContract: updateSetting,
  UpdateEnergyLimitContract: updateEnergyLimit,
  ClearABIContract: clearAbi,
  FreezeBalanceV2Contract: freezeBalance,
  UnfreezeBalanceV2Contract: unfreezeBalance,
  WithdrawExpireUnfreezeContract: withdrawExpireUnfreeze,
  CancelAllUnfreezeV2Contract: cancelAllUnfreeze,
  DelegateResourceContract: delegateResource,
  UnDelegateResourceContract: undelegateResource,
};

/** @throws {Refusal} `CONTRACT_VALIDATE_ERROR` the type is one that this chain does not execute (yet) */
export function actuatorFor(actuators: Actuators, { type, entry }: DecodedContract): Actuator {
  const actuator = type === undefined ? undefined : actuators[type.name];
  if (actuator !== undefined) return actuator;
  throw invalidContract(`this local chain does not execute ${type?.name ?? `contract type ${entry.type}`} yet`);
}
