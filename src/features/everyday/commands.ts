import type { Commands } from "../../host/commands/commands.ts";
import { everydayCommand } from "./everyday-command.ts";
import type { EverydayServices } from "./services.ts";

/** What the commands do. A part of its own: nobody needs it before the first of them. */
export function createEveryday(services: EverydayServices): { readonly commands: Commands<"everyday"> } {
  return {
    commands: {
      "finality.stake": (argument) => everydayCommand(services, "stake", argument),
      "finality.unstake": (argument) => everydayCommand(services, "unstake", argument),
      "finality.withdrawUnstaked": (argument) => everydayCommand(services, "withdraw", argument),
      "finality.cancelUnstakes": (argument) => everydayCommand(services, "cancel-unstakes", argument),
      "finality.delegate": (argument) => everydayCommand(services, "delegate", argument),
      "finality.undelegate": (argument) => everydayCommand(services, "undelegate", argument),
      "finality.vote": (argument) => everydayCommand(services, "vote", argument),
      "finality.withdrawReward": (argument) => everydayCommand(services, "claim-reward", argument),
      "finality.sendTrc10": (argument) => everydayCommand(services, "token-transfer", argument),
      "finality.createAccount": (argument) => everydayCommand(services, "account-creation", argument),
      "finality.updateAccountName": (argument) => everydayCommand(services, "account-name", argument),
      "finality.setCallersShare": (argument) => everydayCommand(services, "contract-share", argument),
      "finality.setEnergyLimit": (argument) => everydayCommand(services, "contract-limit", argument),
      "finality.clearAbi": (argument) => everydayCommand(services, "contract-abi-removal", argument),
    },
  };
}
