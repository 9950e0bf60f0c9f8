import { localTime } from "@finality/tron/format";
import { defined, nameText, parseAmount, rawText, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { folderAtHand, inputBox, quickPick } from "../../host/prompts/quick-input.ts";
import type { FormStatus } from "../../webview-messages/arguments.ts";
import { type FieldDraft, jsonOfValue } from "./form-fields.ts";
import type { FormStorage, StoredCall } from "./form-storage.ts";
import { type CompleteForm, targetName } from "./form-target.ts";
import type { ContractContext } from "./services.ts";

type CallItem = vscode.QuickPickItem & { readonly call?: StoredCall; readonly removes?: true };

/** Lists favourites, recent calls and replaced drafts of a function. Returns undefined if the user cancels. */
export async function chooseStoredCall(storage: FormStorage, subject: string): Promise<StoredCall | undefined> {
  const favourites = storage.favouritesOf(subject).map((call) => callItem("star-full", call));
  const calls = storage.callsOf(subject).map((call) => callItem(call.isDraft === true ? "edit" : "history", call));
  const none: CallItem = {
    label: t`$(info) No call of this function is stored`,
    detail: t`Calls that you send and favourites that you add are listed here.`,
  };
  const remove: CallItem = { label: t`$(trash) Remove a Favourite…`, removes: true };
  const items = [...favourites, ...calls, ...(favourites.length > 0 ? [remove] : [])];
  const title = t`Fill In From`;
  const picked = await quickPick(items.length === 0 ? [none] : items, {
    title,
    placeHolder: t`Favourite or recent call`,
  });
  if (picked?.removes !== true) return picked?.call;
  const removed = await quickPick(favourites, { title: t`Remove a Favourite`, placeHolder: t`Favourite to remove` });
  if (removed?.call !== undefined) await storage.removeFavourite(removed.call);
  return undefined;
}

function callItem(icon: string, call: StoredCall): CallItem {
  const { name, at, values, isDraft } = call;
  const summary = visibleLine(`(${values.map(summaryOf).join(", ")})`, 120);
  const kind = isDraft === true ? t`draft` : localTime(at);
  return {
    label: `$(${icon}) ${name ?? summary}`,
    description: kind,
    ...(name === undefined ? {} : { detail: summary }),
    call,
  };
}

function summaryOf(draft: FieldDraft): string {
  if ("items" in draft) return `[${draft.items.map(summaryOf).join(", ")}]`;
  return "json" in draft ? draft.json : draft.text;
}

/** Prompts for the name of a favourite. Returns undefined if the user cancels. */
export async function nameFavourite(suggested: string): Promise<string | undefined> {
  const name = await inputBox({
    title: t`Add to Favourites`,
    prompt: t`Name of the favourite`,
    value: suggested,
    validateInput: (text) => (text.trim() === "" ? t`Enter a name.` : undefined),
  });
  return name?.trim().slice(0, 60);
}

/** Writes the call of a form into a call file, and opens it. */
export async function saveCallFile(
  { network }: ContractContext,
  { target, fn, values, extras }: CompleteForm,
): Promise<FormStatus | null> {
  if (target.kind !== "contract") return null;
  const { address, functions } = target.contract;
  const name = rawText(fn.name);
  const isOverloaded = functions.filter((it) => rawText(it.name) === name).length > 1;
  const sunOf = (text: string | undefined) =>
    text === undefined || text.trim() === "" ? undefined : String(parseAmount(text));
  const plain = (text: string | undefined) => (text === undefined || text.trim() === "" ? undefined : text.trim());
  const callValue = fn.mutability === "payable" ? sunOf(extras.callValue) : undefined;
  const call = {
    label: `${nameText(targetName(target), toBase58(address))}.${nameText(fn.name)}`,
    contract: toBase58(address),
    function: isOverloaded ? fn.signature : name,
    arguments: fn.parameters.map(({ type }, at) => jsonOfValue(type, values[at] ?? "")),
    ...defined({
      caller: plain(extras.from),
      feeLimit: sunOf(extras.feeLimit),
      callValue: callValue === "0" ? undefined : callValue,
      tokenId: fn.mutability === "payable" ? plain(extras.tokenId) : undefined,
      tokenValue: fn.mutability === "payable" ? plain(extras.tokenValue) : undefined,
    }),
  };
  const uri = await vscode.window.showSaveDialog({
    title: t`Save as Call File`,
    defaultUri: vscode.Uri.joinPath(folderAtHand(), `${name.replace(/[^\w$-]/g, "_").slice(0, 60)}.finality.jsonc`),
    filters: { "Call file": ["finality.jsonc", "jsonc"] },
  });
  if (uri === undefined) return null;
  const content = `${JSON.stringify({ network: network.name, calls: [call] }, null, 2)}\n`;
  await vscode.workspace.fs.writeFile(uri, Buffer.from(content, "utf8"));
  await vscode.window.showTextDocument(uri);
  return { tone: "good", icon: "check", text: t`Saved as ${visibleLine(uri.path)}.` };
}
