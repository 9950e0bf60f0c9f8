import * as vscode from "vscode";
import { notify } from "./notify.ts";

const HELP = "https://code.visualstudio.com/docs/configure/settings-sync#_troubleshooting-keychain-issues";

/** Says that secrets last only as long as the window, and asks whether to try again. */
export async function askAboutSecretStorage(reason: string): Promise<"retry" | "keep-for-this-window"> {
  const [retry, help] = [vscode.l10n.t("Retry"), vscode.l10n.t("Help")];
  const message = vscode.l10n.t(
    "Secret storage is not available ({0}). Keys will be kept for this window only.",
    reason,
  );
  const chosen = await notify("warning", message, retry, help);
  if (chosen === help) await vscode.env.openExternal(vscode.Uri.parse(HELP));
  return chosen === retry ? "retry" : "keep-for-this-window";
}
