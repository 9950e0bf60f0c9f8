import type { Actuators } from "../chain/actuator.ts";
import { accountCreate } from "./account-create.ts";
import { accountPermissionUpdate } from "./account-permission-update.ts";
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
