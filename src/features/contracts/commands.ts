import { isJsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isCallOfProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { reportDone } from "../../host/prompts/notify.ts";
import type { ReplaceCode } from "../../sending/transaction-kind.ts";
import { addContract, removeContract } from "./add-contract.ts";
import { ArgumentPanels } from "./argument-panels.ts";
import { callContract } from "./call-contract.ts";
import type { CodeReports } from "./code-reports.ts";
import type { ContractNode } from "./contracts-tree.ts";
import type { ContractsView } from "./contracts-view.ts";
import { deployContract } from "./deploy-contract.ts";
import { withContractOfFile } from "./deployable-file.ts";
import { reportWritten, writeDeployments } from "./deployments-file.ts";
import { readContract } from "./read-contract.ts";
import { replaceCode } from "./send-code.ts";
import type { ContractServices } from "./services.ts";
import { showResult } from "./show-result.ts";
import { approveTokens, showTokenBalance, transferTokens } from "./token-commands.ts";

interface Contracts {
  dispose(): void;
  readonly panels: ArgumentPanels;
  readonly commands: Commands<"contracts">;
  readonly replaceCode: ReplaceCode;
}

/**
 * Implements the commands of this feature. Loaded with the first of them.
 *
 * @param openView - loads the Contracts view
 */
export function createContracts(
  services: ContractServices,
  openView: () => Promise<ContractsView>,
  reports: CodeReports,
): Contracts {
  const panels = new ArgumentPanels(services);
  return {
    panels,
    commands: {
      "finality.deployContract": async (argument, raw) => {
        const fields = await withContractOfFile(services, argument, raw);
        return fields && (await deployContract(services, panels, fields));
      },
      "finality.callContract": (argument) => callContract(services, panels, argument),
      "finality.readContract": async (argument, raw) =>
        readsWithoutArguments(raw)
          ? await (await openView()).read(raw)
          : await readContract(services, panels, argument),
      "finality.copyValue": async (argument, raw) =>
        reportDone(raw, await (await openView()).copyValue(argument), () => t`Value copied`),
      "finality.addContract": async (argument, raw) =>
        reportDone(raw, await addContract(services, argument), ({ network }) => t`Contract added to ${network}`),
      "finality.removeContract": async (argument, raw) =>
        reportDone(raw, await removeContract(services, argument), () => t`Contract removed from the list`),
      "finality.refreshContracts": async (_, raw) => await (await openView()).refresh(raw),
      "finality.writeDeployments": async (argument, raw) => {
        const written = await writeDeployments(services, argument);
        if (written !== undefined && !isCallOfProgram(raw)) void reportWritten(written);
        return written;
      },
      "finality.compareWithSource": async (argument, raw) => {
        const { compareContract } = await import("./compare-source.ts");
        return await compareContract(services, argument, raw, (name, text) => reports.show(name, text));
      },
      "finality.exportStandardJson": async (argument, raw) =>
        await (await import("./compare-source.ts")).exportStandardJson(services, argument, raw),
      "finality.deployProxy": async (argument) =>
        await (await import("./deploy-proxy.ts")).deployProxy(services, argument),
      "finality.upgradeProxy": async (argument) =>
        await (await import("./upgrade-proxy.ts")).upgradeProxy(services, argument),
      "finality.transferTokens": (argument) => transferTokens(services, argument),
      "finality.approveTokens": (argument) => approveTokens(services, argument),
      "finality.tokenBalance": (argument) => showTokenBalance(services, argument),
      "finality.showResult": (argument, raw) => showResult(services, argument, isCallOfProgram(raw)),
    },
    replaceCode: (order) => replaceCode(services, order),
    dispose: () => panels.dispose(),
  };
}

/** Returns whether the argument is the row of a function without parameters in the Contracts view. */
function readsWithoutArguments(raw: unknown): raw is ContractNode {
  return isJsonObject(raw) && raw.kind === "contractFunction" && String(raw.function).endsWith("()");
}
