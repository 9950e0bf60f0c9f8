import { t } from "@vscode/l10n";
import { type CallFileCall, readCallFile } from "../call-sites/call-file.ts";
import type { TextRange } from "../call-sites/call-site.ts";
import { nearestName } from "./nearest-name.ts";
import type { TextFix, TextProblem } from "./text-problem.ts";

/** Names that a call file may use. */
export interface CallNames {
  /** The names of the contracts that artifacts tell of. */
  readonly contracts: readonly string[];
  /** The functions of a contract by its name. */
  functionsOf(contract: string): readonly { readonly name: string; readonly arity: number }[];
}

const KEYS = [
  "$schema",
  "network",
  "calls",
  "label",
  "contract",
  "function",
  "arguments",
  "caller",
  "feeLimit",
  "callValue",
  "tokenId",
  "tokenValue",
];

/**
 * Returns the problems of a call file: its form, and names that no artifact has. Names are not checked while there are
 * no artifacts.
 */
export function callFileProblems(text: string, names: CallNames): readonly TextProblem[] {
  const { calls, problems } = readCallFile(text);
  const form = problems.map(({ range, message }) => ({
    range,
    message,
    code: "call-file",
    fixes: keyFixes(text, range),
  }));
  if (names.contracts.length === 0) return form;
  return [...form, ...calls.flatMap((call) => nameProblems(call, names))];
}

function keyFixes(text: string, range: TextRange): readonly TextFix[] {
  const key = /^"(\w{1,40})"$/.exec(text.slice(range.start, range.end))?.[1];
  return key === undefined ? [] : fixTo(nearestName(key, KEYS), range);
}

function fixTo(name: string | undefined, range: TextRange): readonly TextFix[] {
  return name === undefined ? [] : [{ title: t`Change to "${name}"`, range, text: JSON.stringify(name) }];
}

function nameProblems({ contract, method, arguments: inputs }: CallFileCall, names: CallNames): readonly TextProblem[] {
  const { range, value } = contract;
  if (/^(?:T[1-9A-HJ-NP-Za-km-z]{33}|(?:0x)?41[0-9a-fA-F]{40})$/.test(value)) return [];
  if (!names.contracts.includes(value)) {
    const message = t`No artifact has a contract "${value}". Compile it, write an address, or change finality.abi.globs.`;
    return [{ range, message, code: "unknown-contract", fixes: fixTo(nearestName(value, names.contracts), range) }];
  }
  const functions = names.functionsOf(value);
  const [name = ""] = method.value.split("(");
  const found = functions.filter((one) => one.name === name);
  if (found.length === 0) {
    const near = nearestName(
      name,
      functions.map((one) => one.name),
    );
    const message = t`${value} has no function "${name}".`;
    return [{ range: method.range, message, code: "unknown-function", fixes: fixTo(near, method.range) }];
  }
  if (found.some(({ arity }) => arity === inputs.length)) return [];
  const wanted = [...new Set(found.map(({ arity }) => arity))].join(t` or `);
  const message =
    wanted === "1"
      ? t`${name} of ${value} takes ${wanted} argument; ${inputs.length} are given.`
      : t`${name} of ${value} takes ${wanted} arguments; ${inputs.length} are given.`;
  return [{ range: method.range, message, code: "argument-count", fixes: [] }];
}
