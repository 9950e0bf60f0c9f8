import type { CallSite } from "@finality/client/call-sites";
import { toBase58 } from "@finality/tron/primitives";
import * as vscode from "vscode";
import { displaySetting, isAutoRefreshOn } from "../../host/settings/feature-settings.ts";
import { energyMarginSetting, onDidChangeSettings } from "../../host/settings/settings.ts";
import { deploymentsHere } from "../../sending/addresses-here.ts";
import { Answers } from "./answers.ts";
import { callFileHoverProvider, completionProvider } from "./call-file-help.ts";
import { followCallFiles } from "./call-file-problems.ts";
import { CostRecord } from "./cost-record.ts";
import { CALL_FILES, SELECTOR } from "./documents.ts";
import type { HintWords } from "./hint.view.ts";
import { Hints } from "./hints.ts";
import { hoverProvider } from "./hover.ts";
import { inlayProvider, type LensServices, lensProvider } from "./lenses.ts";
import { FeeLimitProblems } from "./problems.ts";
import { AutoRefresh } from "./refresh-document.ts";
import type { EnergyServices } from "./services.ts";

/** The hints of a window, and what its commands work with. */
export interface EnergyHints extends vscode.Disposable {
  readonly hints: Hints;
  readonly answers: Answers;
  readonly record: CostRecord;
  readonly words: () => HintWords;
}

/** The energy of calls where they are written. It asks a chain only when a person asks, or has turned that on. */
export function openEnergyHints(services: EnergyServices): EnergyHints {
  const answers = new Answers(services.answers);
  const report = (error: unknown): void => services.log.error("The energy hints could not read the workspace.", error);
  const record = new CostRecord(report);
  const hints = new Hints(services, answers, record);
  const words = (): HintWords => {
    const accounts = services.keys.listOn(services.networks.active);
    const names = new Map(accounts.map(({ label, address }) => [toBase58(address), label]));
    return { abi: hints.index, marginPercent: energyMarginSetting(), names };
  };
  const changed = new vscode.EventEmitter<void>();
  const lenses: LensServices = {
    hints,
    words,
    display: displaySetting,
    onDidChange: changed.event,
    isPlaced: (wanted) => isPlaced(wanted, hints, services),
  };
  const { languages } = vscode;
  const fire = (): void => changed.fire();
  const subscriptions = vscode.Disposable.from(
    answers,
    record,
    hints,
    changed,
    hints.onDidChange(fire),
    onDidChangeSettings(["finality.energy.display", "finality.energy.marginPercent"], fire),
    languages.registerCodeLensProvider(SELECTOR, lensProvider(lenses)),
    languages.registerInlayHintsProvider(SELECTOR, inlayProvider(lenses)),
    languages.registerHoverProvider(SELECTOR, hoverProvider(hints, words)),
    languages.registerCompletionItemProvider(CALL_FILES, completionProvider(hints, services), '"', " ", "["),
    languages.registerHoverProvider(CALL_FILES, callFileHoverProvider(hints, services)),
    new FeeLimitProblems(hints, words),
    followCallFiles(hints),
    new AutoRefresh(hints, isAutoRefreshOn),
  );
  hints.open().catch(report);
  record.read().catch(report);
  return { hints, answers, record, words, dispose: () => subscriptions.dispose() };
}

/** A function has a hint when its contract has a place somewhere, a constructor when its code is there. */
function isPlaced(wanted: CallSite, { index }: Hints, services: EnergyServices): boolean {
  const { contract } = wanted;
  if (index === undefined || contract.kind !== "named") return false;
  if (wanted.kind === "deployment") return index.contractsNamed(contract.name).some(({ hasBytecode }) => hasBytecode);
  if (index.deploymentsOf(contract.name).length > 0) return true;
  const { active } = services.networks;
  return active !== undefined && deploymentsHere(services, active).some(({ name }) => name === contract.name);
}
