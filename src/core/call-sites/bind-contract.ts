import { type Address, toBase58 } from "../primitives/address.ts";
import { foreignText } from "../primitives/foreign-text.ts";
import { type BindingContext, found, type KnownContract, type Part } from "./binding.ts";
import type { WantedCall, WantedContract } from "./wanted-call.ts";

/**
 * Which contract a call means: by its address, by its name, or by what the source says about the variable that holds
 * it.
 */
export function contractOf(wanted: WantedCall, context: BindingContext): Part<KnownContract> {
  const { contract } = wanted;
  switch (contract.kind) {
    case "named":
      return named(contract.name, wanted, context);
    case "address": {
      const { value, text } = contract.address;
      if (typeof value === "string") return named(value, wanted, context);
      return guessed({ kind: "variable", name: "", madeFrom: text }, wanted, context);
    }
    case "variable":
      return guessed(contract, wanted, context);
  }
}

function named(name: string, { kind, method }: WantedCall, context: BindingContext): Part<KnownContract> {
  const known = context.contractsNamed(name);
  const placed = kind === "call" ? known.filter(({ address }) => address !== undefined) : known;
  const best = placed[0] ?? known[0];
  if (best !== undefined) return found(best, ...placeWords(best, kind), ...severalWords(placed, name));
  const address = context.addressOf(name);
  if (address !== undefined) return found(contractAt(address, method ?? "", context));
  return {
    kind: "wrong",
    reason: `no contract is called "${name}", and it is no address; compile it, or write its address`,
  };
}

function placeWords({ name, address, placedBy }: KnownContract, kind: WantedCall["kind"]): readonly string[] {
  return address === undefined || kind === "deployment" ? [] : [`${name} is at ${toBase58(address)}: ${placedBy}.`];
}

function severalWords(placed: readonly KnownContract[], name: string): readonly string[] {
  return placed.length < 2 ? [] : [`${placed.length} contracts are called ${name}: the first one is taken.`];
}

/** A contract by its address alone; its functions are those of an artifact that has such a function, if one has. */
function contractAt(address: Address, method: string, context: BindingContext): KnownContract {
  const [known] = context.contractsAt(address);
  if (known !== undefined) return { ...known, address };
  const [alike] = context.contractsWith(nameOf(method));
  return { ...(alike ?? NOBODY), name: toBase58(address), address, placedBy: "the source", bytecode: undefined };
}

const NOBODY: Omit<KnownContract, "name" | "address" | "placedBy"> = {
  origin: "",
  functions: [],
  abi: [],
  creation: {
    name: foreignText("constructor"),
    signature: "constructor()",
    parameters: [],
    outputs: [],
    mutability: "nonpayable",
  },
  bytecode: undefined,
};

/** `transfer` of `transfer(address,uint256)`. */
export function nameOf(method: string): string {
  return method.split("(")[0]?.trim() ?? "";
}

type Variable = Extract<WantedContract, { kind: "variable" }>;

/**
 * The contract that a variable holds: what a person said, else the one whose name the source mentions where the
 * variable is made, else the one whose name the variable has, else the only one with such a function.
 */
function guessed(variable: Variable, wanted: WantedCall, context: BindingContext): Part<KnownContract> {
  const { name, madeFrom } = variable;
  const key = `contract ${name} ${madeFrom}`.trim();
  const answer = context.answer(key);
  if (answer !== undefined) return remembered(answer, { name, wanted, context });
  const able = wanted.method === undefined ? [] : context.contractsWith(nameOf(wanted.method));
  const placed = able.filter(({ address }) => address !== undefined);
  const mentioned = placed.find((one) => new RegExp(`\\b${escaped(one.name)}\\b`).test(madeFrom));
  if (mentioned !== undefined) return assumed(mentioned, `"${madeFrom}" mentions it`);
  const namesake = placed.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (namesake !== undefined) return assumed(namesake, `the variable ${name} is called like it`);
  const [only, ...others] = placed;
  if (only !== undefined && others.length === 0)
    return assumed(only, `it is the only known contract with ${nameOf(wanted.method ?? "")}`);
  const question = `Which contract is ${name === "" ? madeFrom || "this" : name}?`;
  return { kind: "missing", missing: [{ kind: "contract", key, question, names: placed.map((one) => one.name) }] };
}

function remembered(
  answer: string,
  { name, wanted, context }: { name: string; wanted: WantedCall; context: BindingContext },
): Part<KnownContract> {
  const part = named(answer, wanted, context);
  if (part.kind !== "found") return part;
  return { ...part, assumptions: [`${name || "The contract"} is ${answer}: you said so.`, ...part.assumptions] };
}

function assumed(contract: KnownContract, why: string): Part<KnownContract> {
  return found(contract, `The contract is ${contract.name}: ${why}.`, ...placeWords(contract, "call"));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
