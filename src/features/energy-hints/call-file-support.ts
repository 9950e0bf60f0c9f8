import {
  type CallFilePath,
  type CallFileValue,
  type CallSite,
  callFileLocation,
  callFileTextAt,
  callFileValueAt,
  type TextRange,
} from "@finality/client/call-sites";
import { type CallNames, callFileProblems, type TextProblem } from "@finality/client/explain";
import { coinSymbolOf, type NetworkProfile } from "@finality/client/gateway";
import type { AbiParameter, ArtifactIndex } from "@finality/tron/abi";
import { codeBlock, coinsText, inlineCode, markdownText } from "@finality/tron/format";
import { nameText, rawText, sun, toBase58, wholeNumberIn } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { changesOf, rangeIn } from "../../host/text-ranges.ts";
import {
  argumentBlamed,
  contractCalled,
  declarationOf,
  deployedArtifacts,
  functionOfCall,
  functionOfCallSite,
  functionsOfCall,
  namesOfCall,
} from "./call-file-function.ts";
import { CALL_FILES, callsIn, isCallFile } from "./documents.ts";
import type { Hints } from "./hints.ts";
import type { EnergyServices } from "./workspace-context.ts";

/** Suggested value. */
interface Suggestion {
  readonly name: string;
  readonly detail: string;
  /** JSON with tab stops, if it is more than the quoted name. */
  readonly snippet?: string;
  /** Solidity type. */
  readonly declaration?: string;
}

/** Suggests networks, contracts, functions, accounts and arguments in a call file. Uses data in memory only. */
export function completionProvider(hints: Hints, services: EnergyServices): vscode.CompletionItemProvider {
  return {
    provideCompletionItems: (document, position) => {
      const location = callFileLocation(document.getText(), document.offsetAt(position));
      if (location === undefined) return undefined;
      const range = location.replaced && rangeIn(document, location.replaced);
      return suggestionsFor(location.path, { text: document.getText(), hints, services }).map((one) =>
        itemOf(one, range),
      );
    },
  };
}

interface ProblemContext {
  readonly text: string;
  readonly hints: Hints;
  readonly services: EnergyServices;
}

function suggestionsFor(path: CallFilePath, context: ProblemContext): readonly Suggestion[] {
  const [calls, at, field, argument] = path;
  const { text, hints, services } = context;
  if (calls === "network" && path.length === 1)
    return services.networks.list().map(({ name, baseUrl }) => ({ name, detail: baseUrl }));
  if (typeof at !== "number") return [];
  if (calls === "setup") return setupSuggestions(field, context);
  if (calls !== "calls") return [];
  switch (field) {
    case "expect":
      return expectationSuggestions(path.slice(3), at, context);
    case "contract":
      return contractsIn(context);
    case "caller":
      return accountsIn(context);
    case "function":
      return functionsIn(text, at, hints);
    case "arguments":
      return typeof argument === "number" && path.length === 4
        ? argumentsFor(functionOfCall(text, at, hints)?.parameters[argument], context)
        : allArguments(functionOfCall(text, at, hints)?.parameters ?? [], path);
    default:
      return [];
  }
}

function setupSuggestions(field: string | number | undefined, context: ProblemContext): readonly Suggestion[] {
  if (field === "deploy" || field === "contract") return contractsIn(context);
  return field === "caller" ? accountsIn(context) : [];
}

/** @param path - Below `expect`, such as `["events", 0, "event"]`. */
function expectationSuggestions(path: CallFilePath, at: number, context: ProblemContext): readonly Suggestion[] {
  const { text, hints } = context;
  const named = (kind: "error" | "event", detail: string): readonly Suggestion[] =>
    namesOfCall(text, at, kind, hints).map((name) => ({ name, detail }));
  switch (path.at(-1)) {
    case "error":
      return named("error", t`error of the contract`);
    case "event":
      return named("event", t`event of the contract`);
    case "contract":
      return contractsIn(context);
    default:
      return [];
  }
}

function contractsIn({ hints, text }: ProblemContext): readonly Suggestion[] {
  const artifacts = (hints.index?.contracts ?? []).map(({ name, path }) => [name, path] as const);
  const deployed = [...deployedArtifacts(text)].map(
    ([name, artifact]) => [name, t`${artifact}, of the setup`] as const,
  );
  const names = new Map([...artifacts, ...deployed]);
  return [...names].map(([name, detail]) => ({ name, detail }));
}

/** Returns the network of a file: the one that it names, otherwise the active one. */
function networkIn({ services: { networks }, text }: ProblemContext): NetworkProfile | undefined {
  const named = callFileTextAt(text, ["network"]);
  return named === undefined ? networks.active : networks.find(named);
}

function accountsIn(context: ProblemContext): readonly Suggestion[] {
  const { keys } = context.services;
  return keys.listOn(networkIn(context)).map(({ label, address }) => ({ name: label, detail: toBase58(address) }));
}

function functionsIn(text: string, at: number, hints: Hints): readonly Suggestion[] {
  const functions = functionsOfCall(text, at, hints);
  return functions.map((one) => {
    const isOverloaded = functions.filter(({ name }) => rawText(name) === rawText(one.name)).length > 1;
    const detail = `(${one.parameters.map(({ type, name }) => `${type.text} ${nameText(name)}`.trim()).join(", ")})`;
    return {
      name: isOverloaded ? one.signature : rawText(one.name),
      detail,
      declaration: `function ${declarationOf(one)}`,
    };
  });
}

/** Returns suggestions for one argument: accounts and contracts for an address, else a reminder of name and type. */
function argumentsFor(parameter: AbiParameter | undefined, context: ProblemContext): readonly Suggestion[] {
  if (parameter === undefined) return [];
  const { type, name } = parameter;
  const detail = `${type.text} ${nameText(name)}`.trim();
  if (type.kind === "address")
    return [...accountsIn(context), ...contractsIn(context)].map((one) => ({
      ...one,
      detail: `${detail} · ${one.detail}`,
    }));
  if (type.kind === "bool") return ["true", "false"].map((flag) => ({ name: flag, detail, snippet: flag }));
  const shown = nameText(name, type.text);
  return [{ name: shown, detail, snippet: `"\${1:${placeholder(shown)}}"` }];
}

/** Returns the whole list, if the user has typed nothing. */
function allArguments(parameters: readonly AbiParameter[], path: CallFilePath): readonly Suggestion[] {
  if (path.length !== 3) return [];
  const names = parameters.map(({ name, type }) => nameText(name, type.text));
  const snippet = names.map((name, index) => `"\${${index + 1}:${placeholder(name)}}"`).join(", ");
  const detail = parameters.map(({ type }) => type.text).join(", ");
  return [{ name: `[${names.join(", ")}]`, detail, snippet: `[${snippet}]` }];
}

/** Escapes a name inside a snippet, so that it cannot become a variable or end the placeholder or the string. */
function placeholder(name: string): string {
  return name.replace(/["\\$}]/g, "");
}

function itemOf(
  { name, detail, snippet, declaration }: Suggestion,
  range: vscode.Range | undefined,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label: name, description: detail }, vscode.CompletionItemKind.Value);
  item.insertText = snippet === undefined ? JSON.stringify(name) : new vscode.SnippetString(snippet);
  // VS Code compares the whole quoted string, including the quotes.
  item.filterText = snippet === undefined || range !== undefined ? JSON.stringify(name) : name;
  item.sortText = "0";
  if (declaration !== undefined)
    item.documentation = new vscode.MarkdownString().appendCodeblock(declaration, "solidity");
  if (range !== undefined) item.range = range;
  return item;
}

/** Provides inlay hints for the values of a call file, without I/O. */
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

function noteOf({ path, value }: CallFileValue, context: ProblemContext): string | undefined {
  const [calls, at, field, argument] = path;
  if (calls === "network") return networkNote(String(value), context);
  if (calls !== "calls" || typeof at !== "number") return undefined;
  switch (field) {
    case "contract":
      return contractNote(String(value), context);
    case "function":
      return codeNote(declarationOf, functionOfCall(context.text, at, context.hints));
    case "caller":
      return accountNote(String(value), context);
    case "arguments":
      return typeof argument === "number" ? argumentNote({ at, argument, value }, context) : undefined;
    case "feeLimit":
    case "callValue":
      return amountNote(String(value), context);
    default:
      return undefined;
  }
}

function networkNote(name: string, { services }: ProblemContext): string {
  const network = services.networks.find(name);
  return network === undefined
    ? t`No network has this name: add it, or start the local chain.`
    : t`Network at ${markdownText(network.baseUrl)}`;
}

function contractNote(name: string, { text, hints }: ProblemContext): string | undefined {
  const contract = contractCalled(text, name, hints);
  if (contract === undefined) return undefined;
  const { address, addressSource, origin } = contract;
  const place = address === undefined ? t`Not deployed on this network` : t`At ${toBase58(address)}: ${addressSource}`;
  return [origin, place].map((text) => markdownText(text)).join("\n\n");
}

function codeNote<T>(declare: (it: T) => string, it: T | undefined): string | undefined {
  return it === undefined ? undefined : codeBlock("solidity", `function ${declare(it)}`);
}

function accountNote(name: string, { text, hints }: ProblemContext): string | undefined {
  const address = hints.contextOf({ network: callFileTextAt(text, ["network"]) })?.addressOf(name);
  return address === undefined ? undefined : markdownText(toBase58(address));
}

interface ArgumentAt {
  readonly at: number;
  readonly argument: number;
  readonly value: unknown;
}

function argumentNote({ at, argument, value }: ArgumentAt, context: ProblemContext): string | undefined {
  const parameter = functionOfCall(context.text, at, context.hints)?.parameters[argument];
  if (parameter === undefined) return undefined;
  const { type, name } = parameter;
  const account = type.kind === "address" ? accountNote(String(value), context) : undefined;
  return [`${inlineCode(type.text)} ${markdownText(name)}`, ...(account === undefined ? [] : [account])].join("\n\n");
}

function amountNote(written: string, context: ProblemContext): string | undefined {
  const amount = wholeNumberIn(written);
  return amount === undefined
    ? undefined
    : markdownText(coinsText(sun(amount), coinSymbolOf(networkIn(context)?.baseUrl)));
}

interface ReportedProblem {
  readonly diagnostic: vscode.Diagnostic;
  readonly problem: TextProblem;
}

/** Reports malformed calls and unknown names of open call files, with quick fixes. Uses no network. */
export function followCallFiles(hints: Hints): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("finality.calls");
  const marked = new WeakMap<vscode.TextDocument, readonly ReportedProblem[]>();
  const { workspace, languages } = vscode;
  const refresh = (document: vscode.TextDocument): void => {
    if (!isCallFile(document)) return;
    const rows = problemsIn(document, hints).map((problem) => rowOf(document, problem));
    marked.set(document, rows);
    collection.set(
      document.uri,
      rows.map(({ diagnostic }) => diagnostic),
    );
  };
  const refreshAll = (): void => workspace.textDocuments.forEach(refresh);
  refreshAll();
  return vscode.Disposable.from(
    collection,
    hints.onDidRenew(refreshAll),
    workspace.onDidOpenTextDocument(refresh),
    workspace.onDidChangeTextDocument(({ document }) => refresh(document)),
    workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
    languages.registerCodeActionsProvider(CALL_FILES, {
      provideCodeActions: (document, range) =>
        (marked.get(document) ?? [])
          .filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined)
          .flatMap((row) => actionsFor(document, row)),
    }),
  );
}

function actionsFor(
  document: vscode.TextDocument,
  { problem, diagnostic }: ReportedProblem,
): readonly vscode.CodeAction[] {
  const actions = changesOf(document, problem.fixes);
  for (const action of actions) action.diagnostics = [diagnostic];
  return actions;
}

/** Reports mistakes of the file first, then well-formed values that do not exist on the network. */
function problemsIn(document: vscode.TextDocument, hints: Hints): readonly TextProblem[] {
  const reported = callFileProblems(document.getText(), namesOf(hints.index));
  const isReported = ({ range }: CallSite): boolean =>
    reported.some((problem) => problem.range.start >= range.start && problem.range.end <= range.end);
  // The embedded chain deploys these contracts before the calls, so the network need not have them.
  const deployed = deployedArtifacts(document.getText());
  const isDeployed = ({ contract }: CallSite): boolean => contract.kind === "named" && deployed.has(contract.name);
  const others = callsIn(document).filter((callSite) => !isReported(callSite) && !isDeployed(callSite));
  return [...reported, ...others.flatMap((callSite) => faultsOf(callSite, document.getText(), hints))];
}

function namesOf(index: ArtifactIndex | undefined): CallNames {
  return {
    contracts: [...new Set(index?.contracts.map(({ name }) => name) ?? [])],
    functionsOf: (name) => index?.contractsNamed(name).flatMap(({ functions }) => functions) ?? [],
  };
}

/** Returns the problem that a name or value is unknown in the workspace and on the network, at that word. */
function faultsOf(callSite: CallSite, text: string, hints: Hints): readonly TextProblem[] {
  const reason = hints.faultOf(callSite);
  if (reason === undefined) return [];
  const argument = argumentBlamed(functionOfCallSite(callSite, text, hints)?.parameters ?? [], reason);
  const [, quoted] = /["“]([^"“”]+)["”]/.exec(reason) ?? [];
  const range =
    wordIn(text, callSite, quoted) ?? callSite.arguments?.[argument]?.range ?? wordIn(text, callSite, callSite.method);
  const whole = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  const message = t`${whole}.`;
  return [{ range: range ?? callSite.range, message, code: "unknown-here", fixes: [] }];
}

/** Returns the range of a quoted text in a call. */
function wordIn(text: string, { range }: CallSite, word: string | undefined): TextRange | undefined {
  if (word === undefined) return undefined;
  const quoted = JSON.stringify(word);
  const start = text.indexOf(quoted, range.start);
  return start < 0 || start >= range.end ? undefined : { start, end: start + quoted.length };
}

function rowOf(document: vscode.TextDocument, problem: TextProblem): ReportedProblem {
  const { Error: wrong, Warning: doubtful } = vscode.DiagnosticSeverity;
  const severity = problem.code === "call-file" ? wrong : doubtful;
  const diagnostic = new vscode.Diagnostic(rangeIn(document, problem.range), problem.message, severity);
  diagnostic.source = "Finality";
  diagnostic.code = problem.code;
  return { diagnostic, problem };
}
