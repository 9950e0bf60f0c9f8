import { isCallOfProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import type { ReplaceCode } from "../../sending/transaction-kind.ts";
import { ArgumentPanels } from "./argument-panels.ts";
import { callContract } from "./call-contract.ts";
import { deployContract } from "./deploy-contract.ts";
import { readContract } from "./read-contract.ts";
import { replaceCode } from "./send-code.ts";
import type { ContractServices } from "./services.ts";
import { showResult } from "./show-result.ts";
import { approveTokens, showTokenBalance, transferTokens } from "./token-commands.ts";

interface Contracts {
  readonly panels: ArgumentPanels;
  readonly commands: Commands<"contracts">;
  readonly replaceCode: ReplaceCode;
}

/** Implements the commands of this feature. Loaded with the first of them. */
export function createContracts(services: ContractServices): Contracts {
  const panels = new ArgumentPanels(services);
  return {
    panels,
    commands: {
      "finality.deployContract": (argument) => deployContract(services, panels, argument),
      "finality.callContract": (argument) => callContract(services, panels, argument),
      "finality.readContract": (argument) => readContract(services, panels, argument),
      "finality.transferTokens": (argument) => transferTokens(services, argument),
      "finality.approveTokens": (argument) => approveTokens(services, argument),
      "finality.tokenBalance": (argument) => showTokenBalance(services, argument),
      "finality.showResult": (argument, raw) => showResult(services, argument, isCallOfProgram(raw)),
    },
    replaceCode: (order) => replaceCode(services, order),
  };
}
