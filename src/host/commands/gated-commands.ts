import { t } from "@vscode/l10n";
import type { CommandId } from "./command-ids.ts";

/** A command that is asked about before it runs: the others have a question of their own, or change nothing. */
interface Gated {
  readonly title: string;
  /** Not asked about on the local chain. */
  readonly isFreeOnLocalChain?: true;
}

const onReal = (title: string): Gated => ({ title, isFreeOnLocalChain: true });

export const gatedCommands: { readonly [Id in CommandId]?: Gated } = {
  "finality.createJwtKey": onReal(t`Create JWT Key…`),
  "finality.importJwtKey": onReal(t`Import JWT Key…`),
  "finality.trackTransaction": onReal(t`Track Transaction…`),
  "finality.watchIncoming": onReal(t`Watch Incoming…`),
  "finality.toggleEnergyHints": { title: t`Toggle Energy Hints` },
  "finality.saveCostSnapshot": { title: t`Save Cost Snapshot` },
  "finality.chooseCaller": { title: t`Choose Caller of Estimates…` },
  "finality.forgetAnswers": { title: t`Forget Estimate Answers` },
  "finality.showNoticesAgain": { title: t`Show Hidden Notices Again` },
};
