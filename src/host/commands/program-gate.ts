import { toBase58, visibleLine } from "@finality/tron/primitives";
import { address as readAddress, text as secret, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import { calledByProgram } from "../caller.ts";
import type { CommandId } from "../contributions.ts";
import { confirmModal, programNote } from "../prompts/notify.ts";
import { commandShapes } from "./command-arguments.ts";

/**
 * A command that needs confirmation before it runs for a program. Others have a dialog of their own or change nothing.
 */
interface Gated {
  readonly title: string;
  /** No confirmation on the local chain. */
  readonly isFreeOnLocalChain?: true;
}

const onReal = (title: string): Gated => ({ title, isFreeOnLocalChain: true });

export const gatedCommands: { readonly [Id in CommandId]?: Gated } = {
  "finality.createJwtKey": onReal(t`Create JWT Key…`),
  "finality.importJwtKey": onReal(t`Import JWT Key…`),
  "finality.trackTransaction": onReal(t`Track Transaction…`),
  "finality.watchIncoming": onReal(t`Watch Incoming…`),
  "finality.watchEvents": onReal(t`Watch Events…`),
  "finality.toggleEnergyHints": { title: t`Toggle Energy Hints` },
  "finality.saveCostSnapshot": { title: t`Save Cost Snapshot` },
  "finality.chooseCaller": { title: t`Choose Caller of Estimates…` },
  "finality.forgetAnswers": { title: t`Forget Estimate Answers` },
  "finality.undoRemove": { title: t`Undo Remove` },
  "finality.showNoticesAgain": { title: t`Show Hidden Notices Again` },
  "finality.addContract": { title: t`Add Contract…` },
  "finality.removeContract": { title: t`Remove Contract…` },
  "finality.writeDeployments": { title: t`Write Deployments File…` },
};

/** Returns whether a command with these arguments acts on the local chain that proved itself. */
export type IsOnLocalChain = (argument: Readonly<Record<string, unknown>>) => Promise<boolean>;

/**
 * Asks for confirmation before a gated command runs for a program.
 *
 * @returns false if the user declines
 */
export async function passProgramGate(
  id: CommandId,
  argument: Readonly<Record<string, unknown>>,
  isOnLocalChain: IsOnLocalChain,
): Promise<boolean> {
  const gated = gatedCommands[id];
  if (gated === undefined || !calledByProgram()) return true;
  if (gated.isFreeOnLocalChain && (await isOnLocalChain(argument))) return true;
  const lines = Object.entries(argument).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${shown(id, name, value)}`],
  );
  const question = t`Run “${gated.title.replace(/…$/, "")}” for a program?`;
  const detail = [...(lines.length === 0 ? [] : [lines.join("\n")]), programNote()].join("\n\n");
  return await confirmModal({ title: question, detail }, t`Run`);
}

/** Returns the value to show: addresses in base58, secrets hidden. */
function shown(id: CommandId, name: string, value: unknown): string {
  if ((commandShapes[id] as Readonly<Record<string, unknown>>)[name] === secret) return "•••";
  const address = tryRead(readAddress, value);
  if (address !== undefined) return toBase58(address);
  return visibleLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), LONG);
}

const LONG = 300;
