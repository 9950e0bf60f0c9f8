import {
  type CallSite,
  callFileTextAt,
  type KnownContract,
  nameOf,
  setupSitesInCallFile,
} from "@finality/client/call-sites";
import { type ContractFunction, functionsNamed, functionsOf, isAbiName, onlyReads } from "@finality/tron/abi";
import { isBlank, nameText, rawText } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { Hints } from "./hints.ts";

/** Returns the functions of the contract that a call in a call file names, even if the file is incomplete. */
export function functionsOfCall(text: string, at: number, hints: Hints): readonly ContractFunction[] {
  const name = callFileTextAt(text, ["calls", at, "contract"]);
  return name === undefined ? [] : functionsOn(name, text, hints);
}

/** Returns the function that a call in a call file names; the first one of several with that name. */
export function functionOfCall(text: string, at: number, hints: Hints): ContractFunction | undefined {
  const named = callFileTextAt(text, ["calls", at, "function"]);
  return named === undefined ? undefined : functionNamed(named, functionsOfCall(text, at, hints));
}

/** Returns the function that a complete call means, based on artifacts. */
export function functionOfCallSite(
  { contract, method }: CallSite,
  text: string,
  hints: Hints,
): ContractFunction | undefined {
  if (contract.kind !== "named" || method === undefined) return undefined;
  return functionNamed(method, functionsOn(contract.name, text, hints));
}

/**
 * Returns whether a call in a call file only reads, based on ABIs. If several functions share the name, all of them
 * must only read.
 */
export function callOnlyReads(
  { kind, contract, method, arguments: inputs }: CallSite,
  text: string,
  hints: Hints,
): boolean {
  if (kind !== "call" || contract.kind !== "named" || method === undefined) return false;
  const fitting = functionsNamed(functionsOn(contract.name, text, hints), method, inputs?.length);
  return fitting.length > 0 && fitting.every(onlyReads);
}

/**
 * Returns the index of the argument that a reason begins with, by the name or the number of its parameter; -1 for
 * none. Names may be any text.
 */
export function argumentBlamed(parameters: ContractFunction["parameters"], reason: string): number {
  const begins = (word: string): boolean => reason.startsWith(word) && !/[\w$]/.test(reason.charAt(word.length));
  return parameters.findIndex(
    ({ name }, index) => (!isBlank(name) && begins(nameText(name))) || begins(t`argument ${index + 1}`),
  );
}

/** Returns the names of the errors or events of the contract that a call in a call file names. */
export function namesOfCall(text: string, at: number, kind: "error" | "event", hints: Hints): readonly string[] {
  const name = callFileTextAt(text, ["calls", at, "contract"]) ?? "";
  const [artifact] = hints.index?.contractsNamed(artifactOf(name, text)) ?? [];
  const names = artifact?.abi().flatMap((entry) => (entry.type === kind && entry.name !== undefined ? entry.name : []));
  return [...new Set(names)].filter(isAbiName);
}

/** Returns the artifact of each contract that the setup of a call file deploys, by its name in the file. */
export function deployedArtifacts(text: string): ReadonlyMap<string, string> {
  return new Map(
    setupSitesInCallFile(text).flatMap(({ deployedAs, contract }) =>
      deployedAs === undefined || contract.kind !== "named" ? [] : [[deployedAs, contract.name] as const],
    ),
  );
}

function artifactOf(name: string, text: string): string {
  return deployedArtifacts(text).get(name) ?? name;
}

function functionsOn(name: string, text: string, hints: Hints): readonly ContractFunction[] {
  const [artifact] = hints.index?.contractsNamed(artifactOf(name, text)) ?? [];
  return artifact === undefined ? (contractCalled(text, name, hints)?.functions ?? []) : functionsOf(artifact.abi());
}

function functionNamed(named: string, functions: readonly ContractFunction[]): ContractFunction | undefined {
  return (
    functions.find(({ signature }) => signature === named) ??
    functions.find(({ name }) => rawText(name) === nameOf(named))
  );
}

/** Finds a contract by name or address on the network of a call file. */
export function contractCalled(text: string, name: string, hints: Hints): KnownContract | undefined {
  const context = hints.contextOf({ network: callFileTextAt(text, ["network"]) });
  const [named] = context?.contractsNamed(name) ?? [];
  if (named !== undefined) return named;
  const address = context?.addressOf(name);
  return address === undefined ? undefined : context?.contractsAt(address)[0];
}

/** `transfer(address to, uint256 amount) nonpayable returns (bool)` */
export function declarationOf({ name, parameters, outputs, mutability }: ContractFunction): string {
  const list = (all: ContractFunction["parameters"]): string =>
    all.map((one) => `${one.type.text} ${nameText(one.name)}`.trim()).join(", ");
  return `${nameText(name)}(${list(parameters)}) ${mutability}${outputs.length === 0 ? "" : ` returns (${list(outputs)})`}`;
}
