import * as vscode from "vscode";
import { type NetworkProfile, originOf, originsOf } from "../../core/gateway/network-profile.ts";
import { askModal } from "./notify.ts";

/**
 * The origins that a new credential of a network may go to: that of its URL, and those of its further URLs if the
 * person says so.
 *
 * @param what - such as "API key"
 * @returns undefined when the person left
 */
export async function originsToBind(network: NetworkProfile, what: string): Promise<readonly string[] | undefined> {
  const [own = originOf(network.baseUrl), ...others] = originsOf(network);
  if (others.length === 0) return [own];
  const title = vscode.l10n.t("Send the {0} of {1} also to {2}?", what, network.name, others.join(", "));
  const detail = vscode.l10n.t("{0} asks there too. Who answers there can use what is sent.", network.name);
  const [only, too] = [vscode.l10n.t("Only to {0}", own), vscode.l10n.t("Send There Too")];
  const chosen = await askModal("warning", { title, detail }, only, too);
  if (chosen === undefined) return undefined;
  return chosen === too ? [own, ...others] : [own];
}
