import { type ContractFunction, functionsNamed, parseSignature, signatureText } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { type Address, foreignText, nameText, rawText, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type BindingContext, found, type KnownContract, type Part } from "./binding.ts";
import type { WantedCall, WantedContract } from "./call-site.ts";

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
    reason: t`no contract is called "${name}", and it is no address; compile it, or write its address`,
  };
}

function placeWords({ name, address, placedBy }: KnownContract, kind: WantedCall["kind"]): readonly string[] {
  return address === undefined || kind === "deployment" ? [] : [t`${name} is at ${toBase58(address)}: ${placedBy}.`];
}

function severalWords(placed: readonly KnownContract[], name: string): readonly string[] {
  return placed.length < 2 ? [] : [t`${placed.length} contracts are called ${name}: the first one is taken.`];
}

/** A contract by its address alone; its functions are those of an artifact that has such a function, if one has. */
function contractAt(address: Address, method: string, context: BindingContext): KnownContract {
  const [known] = context.contractsAt(address);
  if (known !== undefined) return { ...known, address };
  const [alike] = context.contractsWith(nameOf(method));
  return { ...(alike ?? NOBODY), name: toBase58(address), address, placedBy: t`the source`, bytecode: undefined };
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
  if (mentioned !== undefined) return assumed(mentioned, t`"${madeFrom}" mentions it`);
  const namesake = placed.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (namesake !== undefined) return assumed(namesake, t`the variable ${name} is called like it`);
  const [only, ...others] = placed;
  if (only !== undefined && others.length === 0)
    return assumed(only, t`it is the only known contract with ${nameOf(wanted.method ?? "")}`);
  const question = t`Which contract is ${name === "" ? madeFrom || t`this` : name}?`;
  return { kind: "missing", missing: [{ kind: "contract", key, question, names: placed.map((one) => one.name) }] };
}

function remembered(
  answer: string,
  { name, wanted, context }: { name: string; wanted: WantedCall; context: BindingContext },
): Part<KnownContract> {
  const part = named(answer, wanted, context);
  if (part.kind !== "found") return part;
  return { ...part, assumptions: [t`${name || t`The contract`} is ${answer}: you said so.`, ...part.assumptions] };
}

function assumed(contract: KnownContract, why: string): Part<KnownContract> {
  return found(contract, t`The contract is ${contract.name}: ${why}.`, ...placeWords(contract, "call"));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/**
 * Which function of a contract a call means; of several with one name, the one with these types or so many arguments.
 */
export function functionOf(wanted: WantedCall, contract: KnownContract): Part<ContractFunction> {
  if (wanted.kind === "deployment")
    return contract.creation === undefined
      ? { kind: "wrong", reason: t`its constructor takes a type that cannot be encoded` }
      : found(contract.creation);
  const { method } = wanted;
  if (method === undefined)
    return { kind: "wrong", reason: t`the function cannot be read without running the code; write its name as a text` };
  const exact = contract.functions.find(
    (one) => rawText(one.name) === method && wanted.types !== undefined && sameTypes(one, wanted.types),
  );
  if (exact !== undefined) return found(exact);
  const named = functionsNamed(contract.functions, method, wanted.types?.length ?? wanted.arguments?.length);
  const fitting = named.filter((one) => mayHaveTypes(one, wanted.types));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return found(only);
  return only === undefined ? bySignature(method, contract) : ambiguous(fitting);
}

function sameTypes({ parameters }: ContractFunction, types: readonly string[]): boolean {
  return parameters.length === types.length && parameters.every(({ type }, index) => type.text === types[index]);
}

const ELEMENTARY = /^(?:u?int\d+|address|bool|bytes\d*|string)(?=\[|$)/;

/**
 * Names that a source gives to types of its own (structs, enums, contracts) may stand for any that are not in the way.
 */
function mayHaveTypes({ parameters }: ContractFunction, types: readonly string[] | undefined): boolean {
  if (types === undefined) return true;
  return parameters.every(({ type }, index) => {
    const written = types[index] ?? "";
    const depth = (text: string): number => text.split("[").length;
    return ELEMENTARY.test(written)
      ? type.text === written
      : depth(type.text) === depth(written) || /\(/.test(type.text);
  });
}

function ambiguous(fitting: readonly ContractFunction[]): Part<ContractFunction> {
  const signatures = fitting.map(({ signature }) => signature).join(", ");
  return { kind: "wrong", reason: t`several functions have this name; write one of ${signatures}` };
}

/** A signature says all that encoding needs, whether an artifact is there or not. */
function bySignature(method: string, contract: KnownContract): Part<ContractFunction> {
  if (!method.includes("(")) return { kind: "wrong", reason: noSuch(method, contract) };
  try {
    const { name, parameters } = parseSignature(method);
    const signature = signatureText({ name, parameters });
    const called: ContractFunction = {
      name: foreignText(name),
      signature,
      parameters,
      outputs: [],
      mutability: "nonpayable",
    };
    return found(called, t`No artifact has ${signature}: the signature is taken from the source.`);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", reason: error.message.replace(/[.。]$/, "") };
  }
}

function noSuch(method: string, { name, functions }: KnownContract): string {
  if (functions.length === 0)
    return t`no artifact describes ${name}; write the function as a signature such as ${nameOf(method)}(address,uint256)`;
  const names = [...new Set(functions.map((one) => nameText(one.name)))].slice(0, 8).join(", ");
  return t`${name} has no function "${method}" that takes these arguments; it has ${names}`;
}
