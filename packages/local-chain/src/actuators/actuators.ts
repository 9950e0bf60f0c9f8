import type { Actuators } from "../chain/actuator.ts";
import { accountCreate, accountPermissionUpdate } from "./account-actuators.ts";
import {
  clearAbi,
  createSmartContract,
  triggerSmartContract,
  updateEnergyLimit,
  updateSetting,
} from "./contract-actuators.ts";
import { delegateResource, undelegateResource } from "./delegation-actuators.ts";
import { createExchange, injectIntoExchange, tradeWithExchange, withdrawFromExchange } from "./exchange-actuators.ts";
import { freezeOfFirstVersion, unfreezeOfFirstVersion } from "./first-stake-actuators.ts";
import { cancelMarketOrder, sellOnMarket } from "./market-actuators.ts";
import { nameAccount, setAccountId } from "./name-actuators.ts";
import { approveProposal, createProposal, deleteProposal } from "./proposal-actuators.ts";
import { cancelAllUnfreeze, freezeBalance, unfreezeBalance, withdrawExpireUnfreeze } from "./stake-actuators.ts";
import { issueToken, participate, transferToken, unfreezeSupply, updateToken } from "./token-actuators.ts";
import { transfer } from "./transfer.ts";
import { createWitness, updateBrokerage, updateWitness, voteWitness, withdrawBalance } from "./voting-actuators.ts";

export const systemActuators: Actuators = {
  AccountCreateContract: accountCreate,
  TransferContract: transfer,
  AssetIssueContract: issueToken,
  TransferAssetContract: transferToken,
  ParticipateAssetIssueContract: participate,
  UpdateAssetContract: updateToken,
  UnfreezeAssetContract: unfreezeSupply,
  AccountUpdateContract: nameAccount,
  SetAccountIdContract: setAccountId,
  FreezeBalanceContract: freezeOfFirstVersion,
  UnfreezeBalanceContract: unfreezeOfFirstVersion,
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
  ExchangeCreateContract: createExchange,
  ExchangeInjectContract: injectIntoExchange,
  ExchangeWithdrawContract: withdrawFromExchange,
  ExchangeTransactionContract: tradeWithExchange,
  MarketSellAssetContract: sellOnMarket,
  MarketCancelOrderContract: cancelMarketOrder,
  VoteWitnessContract: voteWitness,
  WithdrawBalanceContract: withdrawBalance,
  WitnessCreateContract: createWitness,
  WitnessUpdateContract: updateWitness,
  UpdateBrokerageContract: updateBrokerage,
  ProposalCreateContract: createProposal,
  ProposalApproveContract: approveProposal,
  ProposalDeleteContract: deleteProposal,
};
