import * as vscode from "vscode";
import { type CallFileValue, callFileTextAt, callFileValueAt } from "../../core/call-sites/call-file.ts";
import { toBase58 } from "../../core/primitives/address.ts";
import { coinsText, sun } from "../../core/primitives/amount.ts";
import { codeBlock, inlineCode } from "../../core/primitives/plain-text.ts";
import { rangeIn } from "../../host/text-ranges.ts";
import { contractCalled, declarationOf, functionOfCall } from "./call-file-function.ts";
import { asMarkdown } from "./hint-hover.view.ts";
import type { Hints } from "./hints.ts";
import type { EnergyServices } from "./services.ts";

/** What the values of a call file stand for. From memory alone. */
export function callFileHoverProvider(hints: Hints, services: EnergyServices): vscode.HoverProvider {
  return {
    provideHover: (document, position) => {
      const text = document.getText();
      const found = callFileValueAt(text, document.offsetAt(position));
      const note = found && noteOf(found, { text, hints, services });
      if (found === undefined || note === undefined) return undefined;
      return new vscode.Hover(new vscode.MarkdownString(note), rangeIn(document, found.range));
    },
  };
}

interface Known {
  readonly text: string;
  readonly hints: Hints;
  readonly services: EnergyServices;
}

function noteOf({ path, value }: CallFileValue, known: Known): string | undefined {
  const [calls, at, field, argument] = path;
  if (calls === "network") return networkNote(String(value), known);
  if (calls !== "calls" || typeof at !== "number") return undefined;
  switch (field) {
    case "contract":
      return contractNote(String(value), known);
    case "function":
      return codeNote(declarationOf, functionOfCall(known.text, at, known.hints));
    case "caller":
      return accountNote(String(value), known);
    case "arguments":
      return typeof argument === "number" ? argumentNote({ at, argument, value }, known) : undefined;
    case "feeLimit":
    case "callValue":
      return amountNote(String(value));
    default:
      return undefined;
  }
}

function networkNote(name: string, { services }: Known): string {
  const network = services.networks.find(name);
  return network === undefined
    ? "There is no network of this name: add it, or start the local chain."
    : `Network at ${asMarkdown(network.baseUrl)}`;
}

function contractNote(name: string, { text, hints }: Known): string | undefined {
  const contract = contractCalled(text, name, hints);
  if (contract === undefined) return undefined;
  const { address, placedBy, origin } = contract;
  const place = address === undefined ? "Not deployed on this network" : `At ${toBase58(address)}: ${placedBy}`;
  return [origin, place].map(asMarkdown).join("\n\n");
}

function codeNote<T>(declare: (it: T) => string, it: T | undefined): string | undefined {
  return it === undefined ? undefined : codeBlock("solidity", `function ${declare(it)}`);
}

function accountNote(name: string, { text, hints }: Known): string | undefined {
  const address = hints.contextOf({ network: callFileTextAt(text, ["network"]) })?.addressOf(name);
  return address === undefined ? undefined : asMarkdown(toBase58(address));
}

interface ArgumentAt {
  readonly at: number;
  readonly argument: number;
  readonly value: unknown;
}

function argumentNote({ at, argument, value }: ArgumentAt, known: Known): string | undefined {
  const parameter = functionOfCall(known.text, at, known.hints)?.parameters[argument];
  if (parameter === undefined) return undefined;
  const { type, name } = parameter;
  const account = type.kind === "address" ? accountNote(String(value), known) : undefined;
  return [`${inlineCode(type.text)} ${asMarkdown(name)}`, ...(account === undefined ? [] : [account])].join("\n\n");
}

function amountNote(written: string): string | undefined {
  return /^\d{1,19}$/.test(written) ? asMarkdown(coinsText(sun(BigInt(written)))) : undefined;
}
