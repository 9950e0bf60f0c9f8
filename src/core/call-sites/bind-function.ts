import { parseSignature, signatureText } from "../abi/abi-signature.ts";
import { type ContractFunction, functionsNamed } from "../abi/contract-functions.ts";
import { isChainError } from "../errors/chain-error.ts";
import { foreignText, rawText } from "../primitives/foreign-text.ts";
import { nameText } from "../primitives/plain-text.ts";
import { nameOf } from "./bind-contract.ts";
import { found, type KnownContract, type Part } from "./binding.ts";
import type { WantedCall } from "./wanted-call.ts";

/**
 * Which function of a contract a call means; of several with one name, the one with these types or so many arguments.
 */
export function functionOf(wanted: WantedCall, contract: KnownContract): Part<ContractFunction> {
  if (wanted.kind === "deployment") return found(contract.creation);
  const { method } = wanted;
  if (method === undefined)
    return { kind: "wrong", reason: "the function cannot be read without running the code; write its name as a text" };
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
  return { kind: "wrong", reason: `several functions have this name; write one of ${signatures}` };
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
    return found(called, `No artifact has ${signature}: the signature is taken from the source.`);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", reason: error.message.replace(/\.$/, "") };
  }
}

function noSuch(method: string, { name, functions }: KnownContract): string {
  if (functions.length === 0)
    return `no artifact describes ${name}; write the function as a signature such as ${nameOf(method)}(address,uint256)`;
  const names = [...new Set(functions.map((one) => nameText(one.name)))].slice(0, 8).join(", ");
  return `${name} has no function "${method}" that takes these arguments; it has ${names}`;
}
