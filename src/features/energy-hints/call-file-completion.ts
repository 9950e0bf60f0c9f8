import * as vscode from "vscode";
import type { ArtifactIndex } from "../../core/abi/artifacts/artifact-index.ts";
import { functionsOf } from "../../core/abi/contract-functions.ts";
import { readCallFile } from "../../core/call-sites/call-file.ts";
import { callFilePlace } from "../../core/call-sites/call-file-place.ts";
import type { Hints } from "./hints.ts";
import { rangeIn } from "./lenses.ts";
import type { EnergyServices } from "./services.ts";

/** A name to put between quotes. */
interface Suggestion {
  readonly name: string;
  readonly detail: string;
}

/** Names of contracts, functions, accounts and hints about arguments, where a call file wants them. From memory alone. */
export function completionProvider(hints: Hints, services: EnergyServices): vscode.CompletionItemProvider {
  return {
    provideCompletionItems: (document, position) => {
      const place = callFilePlace(document.getText(), document.offsetAt(position));
      if (place === undefined) return undefined;
      const range = place.replaced && rangeIn(document, place.replaced);
      return suggestionsFor(place.path, document.getText(), { index: hints.index, services }).map((one) =>
        itemOf(one, range),
      );
    },
  };
}

interface Known {
  readonly index: ArtifactIndex | undefined;
  readonly services: EnergyServices;
}

function suggestionsFor(path: readonly (string | number)[], text: string, known: Known): readonly Suggestion[] {
  const [calls, at, field, argument] = path;
  const accounts = known.services.keys
    .listOn(known.services.networks.active)
    .map(({ label }) => ({ name: label, detail: "account" }));
  if (calls === "network") {
    const { active } = known.services.networks;
    return active === undefined ? [] : [{ name: active.name, detail: "active network" }];
  }
  if (calls !== "calls" || typeof at !== "number") return [];
  switch (field) {
    case "contract":
      return contractsIn(known.index);
    case "caller":
      return accounts;
    case "function":
      return functionsIn(contractOf(text, at), known.index);
    case "arguments":
      return typeof argument === "number" ? accounts : [];
    default:
      return [];
  }
}

function contractsIn(index: ArtifactIndex | undefined): readonly Suggestion[] {
  const names = new Map((index?.contracts ?? []).map(({ name, path }) => [name, path]));
  return [...names].map(([name, detail]) => ({ name, detail }));
}

function functionsIn(contract: string | undefined, index: ArtifactIndex | undefined): readonly Suggestion[] {
  const known = (index?.contractsNamed(contract ?? "") ?? [])[0];
  if (known === undefined) return [];
  const functions = functionsOf(known.abi());
  return functions.map(({ name, signature, parameters, mutability }) => {
    const isOverloaded = functions.filter((one) => one.name === name).length > 1;
    const list = parameters.map((one) => `${one.type.text} ${one.name}`.trim()).join(", ");
    return { name: isOverloaded ? signature : name, detail: `(${list}) ${mutability}` };
  });
}

/** The contract of the call whose place in the list is known; half-typed calls are told by their text. */
function contractOf(text: string, at: number): string | undefined {
  const { calls } = readCallFile(text);
  return calls[at]?.contract.value ?? /"contract"\s*:\s*"([^"]*)"/.exec(text.split("{")[at + 2] ?? "")?.[1];
}

function itemOf({ name, detail }: Suggestion, range: vscode.Range | undefined): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label: name, description: detail }, vscode.CompletionItemKind.Value);
  item.insertText = JSON.stringify(name);
  item.filterText = JSON.stringify(name);
  if (range !== undefined) item.range = range;
  return item;
}
