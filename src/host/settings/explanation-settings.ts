import * as vscode from "vscode";
import { read } from "./settings.ts";

/** Where the artifacts of a folder are. */
export function abiGlobsSetting(folder: vscode.Uri): readonly string[] {
  return texts(vscode.workspace.getConfiguration(undefined, folder).get<unknown>("finality.abi.globs"));
}

/** The languages and schemes whose documents have hovers; `*` is all of them. */
export function hoverInSetting(): readonly string[] {
  return texts(read("finality.decode.hoverIn"));
}

/** The globs of the documents that have diagnostics. */
export function diagnosticsInSetting(): readonly string[] {
  return texts(read("finality.decode.diagnosticsIn"));
}

/** Whether a switch of ours is on. */
export function isOn(id: "finality.decode.terminalLinks" | "finality.decode.watchTerminal"): boolean {
  return read(id) === true;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === "string" && it.trim() !== "") : [];
}
