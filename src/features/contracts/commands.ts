import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import type { CodeReplacement } from "../../host/sending/code-replacement.ts";
import { callContract } from "./call-contract.ts";
import { deployContract } from "./deploy-contract.ts";
import { readContract } from "./read-contract.ts";
import { replaceCode } from "./replace-code.ts";
import type { ContractServices } from "./services.ts";
import { showResult } from "./show-result.ts";
import { approveTokens, showTokenBalance, transferTokens } from "./token-commands.ts";

type Told<F> = F extends (services: ContractServices, told: infer T, ...rest: never[]) => unknown ? T : never;

/** What the commands do. A part of its own: nobody needs it before the first of them. */
export function createContractCommands(services: ContractServices) {
  return {
    deployContract: (told: Told<typeof deployContract>) => deployContract(services, told),
    callContract: (told: Told<typeof callContract>) => callContract(services, told),
    readContract: (told: Told<typeof readContract>) => readContract(services, told),
    transferTokens: (told: Told<typeof transferTokens>) => transferTokens(services, told),
    approveTokens: (told: Told<typeof approveTokens>) => approveTokens(services, told),
    tokenBalance: (told: Told<typeof showTokenBalance>) => showTokenBalance(services, told),
    replaceCode: (order: CodeReplacement) => replaceCode(services, order),
    showResult: (told: Told<typeof showResult>, given?: unknown) => showResult(services, told, isCallOfProgram(given)),
  };
}
