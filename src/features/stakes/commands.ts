import type { Commands } from "../../host/commands/commands.ts";
import type { StakeServices } from "./services.ts";
import { stakeCommand } from "./stake-commands.ts";

/** What the commands do. A part of its own: nobody needs it before the first of them. */
export function createStakes(services: StakeServices): { readonly commands: Commands<"stakes"> } {
  return {
    commands: {
      "finality.stake": (argument) => stakeCommand(services, "stake", argument),
      "finality.unstake": (argument) => stakeCommand(services, "unstake", argument),
      "finality.withdrawUnstaked": (argument) => stakeCommand(services, "withdraw", argument),
      "finality.cancelUnstakes": (argument) => stakeCommand(services, "cancel-unstakes", argument),
      "finality.delegate": (argument) => stakeCommand(services, "delegate", argument),
      "finality.undelegate": (argument) => stakeCommand(services, "undelegate", argument),
    },
  };
}
