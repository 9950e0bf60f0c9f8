import * as vscode from "vscode";
import type { StorageTrouble } from "../secrets/storage-check.ts";
import { askModal, notify, type Question } from "./notify.ts";

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

/** Where a new key goes. */
export type Keeping = "store" | "session";

/** Who has once stored a key in a browser that nobody has seen keep one is not asked again by this window. */
let tookTheChance = false;

/**
 * Says why a key may not last, before it is stored, and asks where it shall be. A browser that nobody has seen keep
 * anything is asked about too, once.
 *
 * @returns undefined when the person left
 */
export async function askWhereToKeep(trouble: StorageTrouble): Promise<Keeping | undefined> {
  const isUnproven = trouble.kind === "unproven";
  if (isUnproven && (tookTheChance || vscode.env.uiKind === vscode.UIKind.Desktop)) return "store";
  const [session, store, help] = [
    vscode.l10n.t("Keep for This Session"),
    trouble.kind === "forgot" ? vscode.l10n.t("Store It All the Same") : vscode.l10n.t("Store It"),
    vscode.l10n.t("Help"),
  ];
  const buttons = { missing: [session, help], forgot: [session, store, help], unproven: [store, session] }[
    trouble.kind
  ];
  const chosen = await askModal("warning", whyItMayNotLast(trouble), ...buttons);
  if (chosen === help) await vscode.env.openExternal(vscode.Uri.parse(HELP));
  if (chosen === store) {
    tookTheChance ||= isUnproven;
    return "store";
  }
  return chosen === session ? "session" : undefined;
}

function whyItMayNotLast(trouble: StorageTrouble): Question {
  const alone = vscode.l10n.t(
    "Kept for this session, the key is in the memory of this window alone and gone when it closes: have a backup.",
  );
  switch (trouble.kind) {
    case "missing":
      return {
        title: vscode.l10n.t("The editor cannot store a key: {0}.", trouble.reason),
        detail: vscode.l10n.t("On Linux it needs a keyring, such as GNOME Keyring or KWallet. {0}", alone),
      };
    case "forgot":
      return {
        title: vscode.l10n.t("This editor has forgotten what was stored before."),
        detail: vscode.l10n.t(
          "Its secret storage is empty, as on Linux without a keyring and in some browsers after each start, or when another editor stored it. A key stored now may be lost when the editor closes. {0}",
          alone,
        ),
      };
    case "unproven":
      return {
        title: vscode.l10n.t("Nobody knows yet whether this editor keeps a key."),
        detail: vscode.l10n.t(
          "It runs in a browser, where the secret storage may end with the page. At the next start Finality looks whether what it stored is still there; until then have a backup. {0}",
          alone,
        ),
      };
  }
}
