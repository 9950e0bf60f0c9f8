import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Commands } from "../../host/commands/commands.ts";
import { notify } from "../../host/prompts/notify.ts";
import { changedNotice } from "./address-names.view.ts";
import { nameAddress } from "./name-address.ts";
import type { NamingServices } from "./services.ts";

interface AddressNaming {
  readonly commands: Commands<"addressNames">;
  /** Says what cannot be used, and which names mean another address than before; each once. */
  tellProblems(): void;
}

/** What the command does. A part of its own: nobody needs it before the first name. */
export function createAddressNames(services: NamingServices): AddressNaming {
  const said = new Set<string>();
  return {
    commands: { "finality.nameAddress": (argument) => nameAddress(services, argument) },
    tellProblems: () => void tellProblems(services, said),
  };
}

async function tellProblems({ knownNames }: NamingServices, said: Set<string>): Promise<void> {
  const [accept, settings] = [t`It Is Right`, t`Open Settings`];
  for (const entry of knownNames.list()) {
    const message = changedNotice(entry);
    if (message === undefined || said.has(message)) continue;
    said.add(message);
    const chosen = await notify("warning", message, settings, accept);
    if (chosen === accept) await knownNames.accept(entry);
    if (chosen === settings) await openSettings();
  }
  const fresh = knownNames.problems.map(({ message }) => message).find((it) => !said.has(it));
  if (fresh === undefined) return;
  said.add(fresh);
  if ((await notify("warning", fresh, settings)) !== undefined) await openSettings();
}

function openSettings(): Thenable<unknown> {
  return vscode.commands.executeCommand("workbench.action.openSettingsJson");
}
