import type { CallSite } from "@finality/client/call-sites";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import { rangeIn } from "../../host/text-ranges.ts";
import { callOnlyReads } from "./call-file-function.ts";
import { callsIn, isCallFile } from "./documents.ts";
import { type HintLine, type HintWords, hintLine } from "./hint.view.ts";
import type { Hints } from "./hints.ts";

/** A lens whose words come when it is seen: those of a line all at once, so that none pushes another aside. */
class HintLens extends vscode.CodeLens {
  readonly kind: "estimate" | "send";
  readonly document: vscode.TextDocument;
  readonly wanted: CallSite;

  constructor(kind: HintLens["kind"], document: vscode.TextDocument, wanted: CallSite) {
    super(rangeIn(document, wanted.range));
    this.kind = kind;
    this.document = document;
    this.wanted = wanted;
  }
}

export interface LensServices {
  readonly hints: Hints;
  readonly words: () => HintWords;
  /** Whether lenses, inlay hints or nothing is shown. */
  readonly display: () => string;
  readonly onDidChange: vscode.Event<void>;
  /** Whether a call has a place on some network, so that its lens is worth its line. */
  readonly isPlaced: (wanted: CallSite) => boolean;
}

/** A space that the editor keeps after an icon: it drops an ordinary one. */
const GAP = "\u00a0";

/** Where a lens stands depends on the text alone; what it says comes from memory. Neither asks anything of anybody. */
export function lensProvider(services: LensServices): vscode.CodeLensProvider<vscode.CodeLens> {
  const { hints, display, onDidChange } = services;
  const words = ({ document, wanted }: HintLens): vscode.Command => {
    const { icon, text, tooltip } = hintLine(hints.stateOf(wanted), services.words());
    // No icon but ours: a contract may revert with "$(check)".
    const title = `$(${icon})${GAP}${text.replaceAll("$(", "\\$(")}`;
    return { title, tooltip, ...estimateCommand(document, wanted) };
  };
  return {
    onDidChangeCodeLenses: onDidChange,
    provideCodeLenses: (document) =>
      display() === "codeLens" ? callsShown(document, services).flatMap((wanted) => lensesOf(document, wanted)) : [],
    resolveCodeLens: (lens) => {
      if (lens instanceof HintLens) lens.command = lens.kind === "send" ? sendCommand(lens, hints) : words(lens);
      return lens;
    },
  };
}

/** A function that changes nothing is read: its call needs no transaction. */
function sendCommand({ document, wanted }: HintLens, hints: Hints): vscode.Command {
  const reads = callOnlyReads(wanted, document.getText(), hints);
  return {
    title: reads ? `$(eye)${GAP}${t`Read`}` : `$(play)${GAP}${t`Send…`}`,
    command: "finality.sendCallOfFile",
    arguments: [ownClick(placeOf(document, wanted))],
  };
}

function lensesOf(document: vscode.TextDocument, wanted: CallSite): readonly HintLens[] {
  const lens = new HintLens("estimate", document, wanted);
  return isCallFile(document) ? [lens, new HintLens("send", document, wanted)] : [lens];
}

/** Hints at the ends of lines: they take no line of their own. */
export function inlayProvider(services: LensServices): vscode.InlayHintsProvider {
  const { hints, words, display, onDidChange } = services;
  return {
    onDidChangeInlayHints: onDidChange,
    provideInlayHints: (document, range) =>
      display() === "inlayHint"
        ? callsShown(document, services)
            .filter((wanted) => range.intersection(rangeIn(document, wanted.range)) !== undefined)
            .map((wanted) => inlayOf(document, wanted, hintLine(hints.stateOf(wanted), words())))
        : [],
  };
}

function inlayOf(
  document: vscode.TextDocument,
  wanted: CallSite,
  { icon, text, brief = text, tooltip }: HintLine,
): vscode.InlayHint {
  const { line } = document.positionAt(wanted.range.start);
  const part = new vscode.InlayHintLabelPart(`${MARKS[icon]} ${brief}`);
  part.command = { title: text, ...estimateCommand(document, wanted) };
  part.tooltip = brief === text ? tooltip : `${text}\n${tooltip}`;
  const hint = new vscode.InlayHint(document.lineAt(line).range.end, [part]);
  hint.paddingLeft = true;
  return hint;
}

/** Inlay hints have no icons. */
const MARKS: { readonly [K in HintLine["icon"]]: string } = {
  zap: "⚡",
  info: "ℹ",
  check: "✓",
  warning: "⚠",
  error: "✕",
  refresh: "↻",
  "circle-slash": "⊘",
  "sync~spin": "…",
};

/**
 * Functions of a Solidity file have a hint when their contract has a place; calls that somebody wrote always have one.
 */
function callsShown(document: vscode.TextDocument, { isPlaced }: LensServices): readonly CallSite[] {
  return callsIn(document).filter((wanted) => wanted.language !== "solidity" || isPlaced(wanted));
}

/** `kind` tells the command that a person clicked, who can be asked. */
export function placeOf({ uri }: vscode.TextDocument, { range }: CallSite) {
  return { kind: "call", uri: uri.toString(), offset: range.start };
}

function estimateCommand(document: vscode.TextDocument, wanted: CallSite) {
  return {
    command: "finality.estimateEnergy",
    arguments: [ownClick({ ...placeOf(document, wanted), index: indexOf(document, wanted) })],
  };
}

/** Several samples of one function stand at one place. */
function indexOf(document: vscode.TextDocument, wanted: CallSite): number {
  return callsIn(document).indexOf(wanted);
}
