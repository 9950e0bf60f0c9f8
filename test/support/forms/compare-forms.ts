import { Interface, type JsonFragment } from "ethers";
import type { JsonAbiEntry } from "../../../packages/tron/src/abi/abi-index.ts";
import {
  type ContractFunction,
  constructorOf,
  functionDataOf,
  functionsOf,
} from "../../../packages/tron/src/abi/contract-functions.ts";
import { encodeAbi } from "../../../packages/tron/src/abi/encode-abi.ts";
import { checkDrafts } from "../../../src/features/contracts/form-fields.ts";
import { dice } from "../random/dice.ts";
import { artifactsIn, callsOf, parameterLists } from "./function-parameters.ts";
import { CONTEXT, type EthersValue, fillIn } from "./typed-form.ts";

/**
 * `node test/support/forms/compare-forms.ts FOLDER`: fills in the form of every function and constructor of the artifacts
 * that collect-artifacts.ts collected, and compares the call data with ethers. It prints a line for each package, and
 * fails if a form crashes, refuses its values or makes other call data.
 */
const [folder = "."] = process.argv.slice(2);
const ROUNDS = 3;
const roll = dice(31);
const printed: string[] = [];

const OUTCOMES = ["equal", "refused", "different", "crashed"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Returns undefined for a function that the form does not offer. */
function formFunctionOf(entry: JsonAbiEntry): ContractFunction | undefined {
  return entry.type === "constructor" ? constructorOf([entry]) : functionsOf([entry])[0];
}

function formDataOf(entry: JsonAbiEntry, fn: ContractFunction, filled: readonly ReturnType<typeof fillIn>[]): string {
  const drafts = filled.map(({ draft }) => draft);
  const { values, checks } = checkDrafts(fn.parameters, drafts, CONTEXT);
  if (values === undefined) return checks.flatMap(({ kind, message }) => (kind === "wrong" ? message : [])).join(" ");
  return `0x${entry.type === "constructor" ? encodeAbi(fn.parameters, values) : functionDataOf(fn, values)}`;
}

function ethersDataOf(entry: JsonAbiEntry, values: readonly EthersValue[]): string {
  const abi = new Interface([entry as JsonFragment]);
  return entry.type === "constructor" ? abi.encodeDeploy(values) : abi.encodeFunctionData(entry.name ?? "", values);
}

function compare(entry: JsonAbiEntry): Outcome {
  try {
    const fn = formFunctionOf(entry);
    if (fn === undefined) return "refused";
    for (let round = 0; round < ROUNDS; round++) {
      const filled = fn.parameters.map(({ type }) => fillIn(type, roll));
      const data = formDataOf(entry, fn, filled);
      if (!data.startsWith("0x")) return "refused";
      const values = filled.map(({ value }) => value);
      if (data !== ethersDataOf(entry, values)) return "different";
    }
    return "equal";
  } catch (error) {
    printed.push(String(error).split("\n")[0] ?? "");
    return "crashed";
  }
}

/** Returns the package or the compiled set of a file. */
function packageOf(file: string): string {
  const [top = "", name = "", scoped = ""] = file.split("/");
  return name.startsWith("@") ? `${name}/${scoped}` : `${top === "compiled" ? "compiled " : ""}${name}`;
}

const groups = Map.groupBy(artifactsIn(folder), ({ file }) => packageOf(file));
const totals = new Map<Outcome, number>();
let artifacts = 0;
for (const [name, group] of groups) {
  const counts = new Map<Outcome, number>();
  for (const { file, abi } of group)
    for (const entry of callsOf(abi)) {
      const outcome = compare(entry);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
      if (outcome !== "equal") printed.push(`${outcome}: ${file} ${JSON.stringify(entry)}`);
    }
  artifacts += group.length;
  process.stdout.write(`${name}: ${group.length} artifacts, ${textOf(counts)}\n`);
}
const lists = parameterLists(folder).length;
process.stdout.write(`${artifacts} artifacts, ${lists} different parameter lists, ${textOf(totals)}\n`);
for (const line of printed.slice(0, 20)) process.stdout.write(`${line}\n`);
if (printed.length > 0) process.exitCode = 1;

function textOf(counts: ReadonlyMap<Outcome, number>): string {
  return OUTCOMES.map((it) => `${counts.get(it) ?? 0} ${it}`).join(", ");
}
