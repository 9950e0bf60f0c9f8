import type { FailureFilters } from "@finality/client/debugger";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { t } from "@vscode/l10n";

/** Returns what the debugger can do. */
export function capabilities(): DebugProtocol.Capabilities {
  return {
    supportsConfigurationDoneRequest: true,
    supportsFunctionBreakpoints: true,
    supportsConditionalBreakpoints: true,
    supportsHitConditionalBreakpoints: true,
    supportsLogPoints: true,
    supportsEvaluateForHovers: true,
    supportsStepBack: true,
    supportsRestartFrame: true,
    supportsDataBreakpoints: true,
    supportsGotoTargetsRequest: true,
    supportsSteppingGranularity: true,
    supportsExceptionInfoRequest: true,
    supportsExceptionFilterOptions: true,
    supportsDisassembleRequest: true,
    supportsInstructionBreakpoints: true,
    supportsReadMemoryRequest: true,
    exceptionBreakpointFilters: [
      { filter: "uncaught", label: t`Uncaught Failures`, default: true },
      { filter: "reverts", label: t`All Reverts`, description: t`Also those that a caller catches` },
      { filter: "panics", label: t`All Panics`, description: t`Also those that a caller catches` },
      {
        filter: "errors",
        label: t`Custom Errors`,
        supportsCondition: true,
        conditionDescription: t`Names, separated by commas, such as NotEnough, NotAllowed`,
      },
    ],
  };
}

/** Returns the failures that stop the run, as the user chose them. */
export function filtersOf({
  filters,
  filterOptions = [],
}: DebugProtocol.SetExceptionBreakpointsArguments): FailureFilters {
  const chosen = new Set([...filters, ...filterOptions.map(({ filterId }) => filterId)]);
  const names = filterOptions
    .filter(({ filterId }) => filterId === "errors")
    .flatMap(({ condition = "" }) => condition.split(","))
    .map((it) => it.trim())
    .filter((it) => it !== "");
  return {
    uncaught: chosen.has("uncaught"),
    reverts: chosen.has("reverts"),
    panics: chosen.has("panics"),
    errors: names,
  };
}
