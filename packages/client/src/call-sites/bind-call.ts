import {
  type AbiInput,
  type AbiParameter,
  type ContractFunction,
  encodeAbi,
  encodeCall,
  functionsNamed,
  type InputValue,
  inputFromText,
  type JsonAbiEntry,
  parseSignature,
  signatureText,
  typedValues,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { counted, withoutStop } from "@finality/tron/format";
import {
  type Address,
  defined,
  foreignText,
  hex,
  LARGEST_AMOUNT,
  nameText,
  parseAmount,
  rawText,
  type Sun,
  sun,
  toBase58,
  wholeNumberIn,
} from "@finality/tron/primitives";
import { serialisedAbi, USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import { type CodeIntent, type EstimatedCall, suggestedFeeLimit } from "../estimates/call-estimate.ts";
import type { CachedEstimate, EstimateCache } from "../estimates/estimate-cache.ts";
import type { CallSite, CallSiteValue, ContractReference, TextRange } from "./call-site.ts";

/** Contract of the workspace, with its address on the network of the call. */
export interface KnownContract {
  readonly name: string;
  /** For display: `Leaf (build/contracts/Leaf.json)`. */
  readonly origin: string;
  /** `undefined` if no deployment on this network is known. */
  readonly address: Address | undefined;
  /** Source of the address, for display. */
  readonly addressSource: string;
  readonly functions: readonly ContractFunction[];
  /** ABI of the artifact; a deployment includes it. */
  readonly abi: readonly JsonAbiEntry[];
  /** Undefined if its parameters have types that cannot be encoded. */
  readonly creation: ContractFunction | undefined;
  /** Creation code as hex without 0x, once it was loaded. */
  readonly bytecode: string | undefined;
}

/** Contracts, accounts and stored answers that a call is bound to. */
export interface BindingContext {
  contractsNamed(name: string): readonly KnownContract[];
  contractsAt(address: Address): readonly KnownContract[];
  /** Contracts that have a function of this name. */
  contractsWith(functionName: string): readonly KnownContract[];
  /** Resolves the name of an account or a contract, or an address in any form. */
  addressOf(name: string): Address | undefined;
  /** Account that calls if the source names none. */
  readonly caller: { readonly name: string; readonly address: Address } | undefined;
  /** Returns the user's stored answer for this key in this workspace. */
  answer(key: string): string | undefined;
}

/** Value that only the user can provide. It is requested once and stored by its key. */
export type MissingValue =
  | { readonly kind: "contract"; readonly key: string; readonly question: string; readonly names: readonly string[] }
  | { readonly kind: "argument"; readonly key: string; readonly question: string; readonly type: string }
  | { readonly kind: "amount"; readonly key: string; readonly question: string }
  /** The creation code is in a file, so no prompt is needed. */
  | { readonly kind: "bytecode"; readonly key: string; readonly question: string };

/** Reason why a call cannot be bound to a chain. */
export type UnboundCall =
  | { readonly kind: "missing"; readonly missing: readonly MissingValue[] }
  /** The source has to be changed; a sentence without a final full stop. */
  | { readonly kind: "wrong"; readonly reason: string };

/** The `fee_limit` of a call and its range; `undefined` if the source has none. */
interface BoundLimit {
  readonly feeLimit: Sun;
  /** True if this limit would be sent, so that it can be too small. */
  readonly isReal: boolean;
  readonly range: TextRange | undefined;
}

export interface BoundCall {
  readonly kind: "bound";
  readonly intent: CodeIntent;
  readonly contract: KnownContract;
  readonly called: ContractFunction;
  readonly arguments: readonly InputValue[];
  readonly limit: BoundLimit;
  /** Assumptions about missing parts of the source; sentences. */
  readonly assumptions: readonly string[];
}

/** Part of a binding. */
type BoundPart<T> =
  | { readonly kind: "found"; readonly value: T; readonly assumptions: readonly string[] }
  | UnboundCall;

/** Part that was found. */
function found<T>(value: T, ...assumptions: readonly string[]): BoundPart<T> {
  return { kind: "found", value, assumptions };
}

/**
 * Binds a call site to a network: contract, function, data and caller. Sends no request.
 *
 * @returns the intent with all assumptions, or a message about what is missing or wrong
 */
export function bindCall(call: CallSite, context: BindingContext): BoundCall | UnboundCall {
  if (call.problem !== undefined) return { kind: "wrong", reason: withoutStop(call.problem) };
  const contract = contractOf(call, context);
  if (contract.kind !== "found") return contract;
  const called = functionOf(call, contract.value);
  if (called.kind !== "found") return called;
  const caller = callerOf(call, context);
  if (caller.kind !== "found") return caller;
  const inputs = argumentsOf(call, { contract: contract.value, called: called.value }, context);
  if (inputs.kind !== "found") return inputs;
  const amounts = amountsOf(call, context, takesValue(contract.value, called.value));
  if (amounts.kind !== "found") return amounts;
  const parts = [contract, called, caller, inputs, amounts];
  const typed = typedValues(called.value.parameters, inputs.value, (name) => context.addressOf(name));
  if (!typed.ok)
    return {
      kind: "wrong",
      reason: typed.misfits.map(({ path, reason }) => (path === "" ? reason : `${path}: ${reason}`)).join("; "),
    };
  const subject = { contract: contract.value, called: called.value, caller: caller.value, values: typed.value };
  const made = intentOf(call, subject, amounts.value);
  if (made.kind !== "found") return made;
  return {
    kind: "bound",
    intent: made.value,
    contract: contract.value,
    called: called.value,
    arguments: inputs.value,
    limit: amounts.value.limit,
    assumptions: parts.flatMap(({ assumptions }) => assumptions),
  };
}

/** Returns true for a payable function; undefined if only its signature is known. */
function takesValue({ functions }: KnownContract, called: ContractFunction): boolean | undefined {
  return functions.includes(called) ? called.mutability === "payable" : undefined;
}

interface Subject {
  readonly contract: KnownContract;
  readonly called: ContractFunction;
  readonly caller: Address;
  readonly values: readonly AbiInput[];
}

type Made = { readonly kind: "found"; readonly value: CodeIntent } | UnboundCall;

function intentOf(
  call: CallSite,
  { contract, called, caller, values }: Subject,
  { limit, callValue, token }: { limit: { feeLimit: Sun }; callValue: Sun; token: object },
): Made {
  const common = { owner: caller, callValue, feeLimit: limit.feeLimit };
  if (call.kind === "deployment") {
    const { bytecode, name, abi } = contract;
    if (bytecode === undefined)
      return { kind: "missing", missing: [{ kind: "bytecode", key: name, question: t`the creation code of ${name}` }] };
    const code = hex(bytecode + encodeAbi(called.parameters, values));
    return boundIntent({
      ...common,
      kind: "contract-creation",
      name,
      bytecode: code,
      abi: serialisedAbi(abi),
      ...DEPLOYED_AS,
    });
  }
  if (contract.address === undefined)
    return { kind: "wrong", reason: t`no deployment of ${contract.name} is known on this network; deploy it first` };
  const data = encodeCall(called.signature, called.parameters, values);
  return boundIntent({ ...common, kind: "contract-call", contract: contract.address, data, ...token });
}

/** Defaults of a deployment: the caller pays all energy. */
const DEPLOYED_AS = { userPercent: 100n, originEnergyLimit: USUAL_OWNER_ENERGY_LIMIT };

function boundIntent(value: CodeIntent): Made {
  return { kind: "found", value };
}

function callerOf(
  { caller }: CallSite,
  context: BindingContext,
): { kind: "found"; value: Address; assumptions: readonly string[] } | UnboundCall {
  if (typeof caller?.value === "string") {
    const address = context.addressOf(caller.value);
    if (address !== undefined) return { kind: "found", value: address, assumptions: [] };
    return { kind: "wrong", reason: t`"${caller.value}" is neither an account name nor an address` };
  }
  const named = caller && accountIn(caller.text, context);
  if (named !== undefined) return { kind: "found", value: named.value, assumptions: [named.assumption] };
  const chosen = context.caller;
  if (chosen === undefined) return { kind: "wrong", reason: t`there is no account for the call; add one` };
  const { name, address } = chosen;
  const why =
    caller === undefined ? t`the source names no caller` : t`${caller.text} cannot be read without running the code`;
  return {
    kind: "found",
    value: address,
    assumptions: [t`Caller ${name} (${toBase58(address)}), the chosen account: ${why}.`],
  };
}

interface Called {
  readonly contract: KnownContract;
  readonly called: ContractFunction;
}

/** Account that a name in the source refers to, and the reason. */
interface AccountByName {
  readonly value: Address;
  readonly assumption: string;
}

interface Filled {
  readonly value?: InputValue;
  readonly missing?: MissingValue;
  readonly assumption?: string;
}

/** Returns the arguments of a call from the source, account names and stored answers. */
function argumentsOf(call: CallSite, it: Called, context: BindingContext): BoundPart<readonly InputValue[]> {
  const { parameters } = it.called;
  const written = call.arguments;
  if (written !== undefined && written.length !== parameters.length)
    return {
      kind: "wrong",
      reason: otherCount(it.called.signature, counted(parameters.length, t`argument`, t`arguments`), written.length),
    };
  const filled = parameters.map((parameter, index) => fill(written?.[index], { ...it, parameter, index }, context));
  const missing = filled.flatMap((one) => one.missing ?? []);
  if (missing.length > 0) return { kind: "missing", missing };
  return {
    kind: "found",
    value: filled.flatMap((one) => (one.value === undefined ? [] : [one.value])),
    assumptions: filled.flatMap((one) => one.assumption ?? []),
  };
}

function otherCount(signature: string, taken: string, there: number): string {
  return there === 1
    ? t`${signature} needs ${taken}, but there is ${there}`
    : t`${signature} needs ${taken}, but there are ${there}`;
}

interface ArgumentPosition extends Called {
  readonly parameter: AbiParameter;
  readonly index: number;
}

function fill(written: CallSiteValue | undefined, position: ArgumentPosition, context: BindingContext): Filled {
  if (written?.value !== undefined) return { value: written.value };
  const { contract, called, parameter, index } = position;
  const name = nameText(parameter.name, t`argument ${index + 1}`);
  const text = written?.text ?? "";
  const key = `argument ${contract.name}.${called.signature} ${index} ${text}`.trim();
  const answer = context.answer(key);
  if (answer !== undefined)
    return { value: inputFromText(parameter.type, answer), assumption: t`${name} is ${answer}, as you entered.` };
  const account = parameter.type.kind === "address" ? accountIn(text, context) : undefined;
  if (account !== undefined) return account;
  const question = `${nameText(called.name)}: ${name} (${parameter.type.text})${text === "" ? "" : t`, in the source ${text}`}`;
  return { missing: { kind: "argument", key, question, type: parameter.type.text } };
}

/** `Dave.address` and `dave` most likely refer to the account Dave. */
function accountIn(text: string, context: BindingContext): AccountByName | undefined {
  const [, word] = /^(\w+)(?:\.(?:address|base58|hex|account))?$/.exec(text) ?? [];
  const address = word === undefined ? undefined : (context.addressOf(word) ?? context.addressOf(capital(word)));
  if (address === undefined) return undefined;
  return {
    value: address,
    assumption: t`${text} is the name of the account ${capital(word ?? "")} (${toBase58(address)}).`,
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Replaces a missing limit; it never stops a run. */
const NO_FEE_LIMIT: Sun = sun(15_000_000_000n);

/** Amounts that a call spends and may spend. */
interface BoundAmounts {
  readonly limit: BoundLimit;
  readonly callValue: Sun;
  readonly token: { readonly tokenId?: bigint; readonly tokenValue?: bigint };
}

type Named = "feeLimit" | "callValue" | "tokenId" | "tokenValue";

/**
 * Returns the amounts of a call, in sun; missing ones count as none.
 *
 * @param takesValue - Whether the function accepts coins; `undefined` without an ABI.
 */
function amountsOf(call: CallSite, context: BindingContext, takesValue?: boolean): BoundPart<BoundAmounts> {
  const isOmitted = call.omitsValue === true && takesValue === false && call.callValue !== undefined;
  const effective = isOmitted ? { ...call, callValue: undefined } : call;
  const assumptions: string[] = [];
  const missing: MissingValue[] = [];
  const wrong: string[] = [];
  const read = (name: Named): bigint | undefined => {
    const written = effective[name];
    if (written === undefined) return undefined;
    const key = amountKey(name, written);
    const answer = written.value === undefined ? context.answer(key) : undefined;
    if (answer !== undefined) assumptions.push(t`${written.text} is ${answer}, as you entered.`);
    const amount = amountIn(name, written.value ?? answer);
    if (amount !== undefined && faultOf(amount) !== undefined) wrong.push(`${name} ${written.text} ${faultOf(amount)}`);
    else if (amount === undefined && written.value !== undefined) wrong.push(unreadableAmount(name, written.text));
    else if (amount === undefined) missing.push({ kind: "amount", key, question: amountQuestion(name, written.text) });
    return amount;
  };
  const [feeLimit, callValue, tokenId, tokenValue] = [
    read("feeLimit"),
    read("callValue"),
    read("tokenId"),
    read("tokenValue"),
  ];
  if (wrong.length > 0) return { kind: "wrong", reason: wrong.join("; ") };
  if (missing.length > 0) return { kind: "missing", missing };
  const value = {
    limit: limitOf(effective, feeLimit),
    callValue: sun(callValue ?? 0n),
    token: defined({ tokenId, tokenValue }),
  };
  if (isOmitted && call.callValue?.value !== undefined && call.callValue.value !== 0n)
    assumptions.push(t`TronWeb omits callValue ${call.callValue.text}: the function is not payable.`);
  if (effective.unread !== undefined)
    assumptions.push(t`"${effective.unread}" cannot be read without running the code. Assumed: no token is sent.`);
  if (feeLimit === undefined && effective.defaultFeeLimit !== undefined)
    assumptions.push(t`feeLimit is not set: TronWeb uses 150 coins.`);
  return { kind: "found", value, assumptions };
}

/** Returns the reason why no chain accepts an amount; undefined if one can. */
function faultOf(amount: bigint): string | undefined {
  if (amount < 0n) return t`is negative; write 0 or more`;
  return amount > LARGEST_AMOUNT ? t`is larger than any amount on the chain; write a smaller one` : undefined;
}

function limitOf({ feeLimit: written, defaultFeeLimit }: CallSite, feeLimit: bigint | undefined): BoundLimit {
  return {
    feeLimit: sun(feeLimit ?? defaultFeeLimit ?? NO_FEE_LIMIT),
    isReal: feeLimit !== undefined || defaultFeeLimit !== undefined,
    range: written?.range,
  };
}

function amountKey(name: Named, { text }: CallSiteValue): string {
  return `amount ${name} ${text}`;
}

function isOfToken(name: Named): boolean {
  return name === "tokenId" || name === "tokenValue";
}

function amountQuestion(name: Named, written: string): string {
  return isOfToken(name)
    ? t`${name} as a whole number, in the source ${written}`
    : t`${name} in sun, in the source ${written}`;
}

function unreadableAmount(name: Named, written: string): string {
  return isOfToken(name)
    ? t`${name} ${written} cannot be read; write it as a whole number`
    : t`${name} ${written} cannot be read; write it as a whole number of sun, such as 1500000 for 1.5 coins`;
}

function amountIn(name: Named, value: InputValue | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value !== "string") return undefined;
  if (isOfToken(name)) return wholeNumberIn(value);
  try {
    return parseAmount(value);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

/** Finds the contract of a call by address, by name, or by the source of its variable. */
function contractOf(call: CallSite, context: BindingContext): BoundPart<KnownContract> {
  const { contract } = call;
  switch (contract.kind) {
    case "named":
      return named(contract.name, call, context);
    case "address": {
      const { value, text } = contract.address;
      if (typeof value === "string") return named(value, call, context);
      return guessed({ kind: "variable", name: "", madeFrom: text }, call, context);
    }
    case "variable":
      return guessed(contract, call, context);
  }
}

function named(name: string, { kind, method }: CallSite, context: BindingContext): BoundPart<KnownContract> {
  const known = context.contractsNamed(name);
  const deployed = kind === "call" ? known.filter(({ address }) => address !== undefined) : known;
  const best = deployed[0] ?? known[0];
  if (best !== undefined) return found(best, ...addressNotes(best, kind), ...ambiguityNotes(deployed, name));
  const address = context.addressOf(name);
  if (address !== undefined) return found(contractAt(address, method ?? "", context));
  return {
    kind: "wrong",
    reason: t`"${name}" is neither a contract name nor an address; compile the contract, or write its address`,
  };
}

function addressNotes({ name, address, addressSource }: KnownContract, kind: CallSite["kind"]): readonly string[] {
  return address === undefined || kind === "deployment"
    ? []
    : [t`${name} is at ${toBase58(address)}: ${addressSource}.`];
}

function ambiguityNotes(deployed: readonly KnownContract[], name: string): readonly string[] {
  return deployed.length < 2 ? [] : [t`${deployed.length} contracts are named ${name}: the first one is used.`];
}

/**
 * Returns a contract that is known by its address alone. Its functions come from an artifact that has such a function,
 * if any.
 */
function contractAt(address: Address, method: string, context: BindingContext): KnownContract {
  const [known] = context.contractsAt(address);
  if (known !== undefined) return { ...known, address };
  const [alike] = context.contractsWith(nameOf(method));
  return {
    ...(alike ?? UNKNOWN_CONTRACT),
    name: toBase58(address),
    address,
    addressSource: t`the source`,
    bytecode: undefined,
  };
}

const UNKNOWN_CONTRACT: Omit<KnownContract, "name" | "address" | "addressSource"> = {
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

type Variable = Extract<ContractReference, { kind: "variable" }>;

/**
 * Returns the contract of a variable. The order is: stored answer, name in the expression, name of the variable, then
 * the only contract with such a function.
 */
function guessed(variable: Variable, call: CallSite, context: BindingContext): BoundPart<KnownContract> {
  const { name, madeFrom } = variable;
  const key = `contract ${name} ${madeFrom}`.trim();
  const answer = context.answer(key);
  if (answer !== undefined) return remembered(answer, { name, call, context });
  const able = call.method === undefined ? [] : context.contractsWith(nameOf(call.method));
  const deployed = able.filter(({ address }) => address !== undefined);
  const mentioned = deployed.find((one) => new RegExp(`\\b${escaped(one.name)}\\b`).test(madeFrom));
  if (mentioned !== undefined) return assumed(mentioned, t`"${madeFrom}" mentions it`);
  const namesake = deployed.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (namesake !== undefined) return assumed(namesake, t`the variable ${name} has its name`);
  const [only, ...others] = deployed;
  if (only !== undefined && others.length === 0)
    return assumed(only, t`it is the only known contract with ${nameOf(call.method ?? "")}`);
  const question = t`Which contract is ${name === "" ? madeFrom || t`this` : name}?`;
  return { kind: "missing", missing: [{ kind: "contract", key, question, names: deployed.map((one) => one.name) }] };
}

function remembered(
  answer: string,
  { name, call, context }: { name: string; call: CallSite; context: BindingContext },
): BoundPart<KnownContract> {
  const part = named(answer, call, context);
  if (part.kind !== "found") return part;
  return { ...part, assumptions: [t`${name || t`The contract`} is ${answer}, as you entered.`, ...part.assumptions] };
}

function assumed(contract: KnownContract, why: string): BoundPart<KnownContract> {
  return found(contract, t`The contract is ${contract.name}: ${why}.`, ...addressNotes(contract, "call"));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/**
 * Returns the function of a contract that a call names. Overloads are told apart by types or number of arguments.
 */
function functionOf(call: CallSite, contract: KnownContract): BoundPart<ContractFunction> {
  if (call.kind === "deployment")
    return contract.creation === undefined
      ? { kind: "wrong", reason: t`its constructor has a parameter type that cannot be encoded` }
      : found(contract.creation);
  const { method } = call;
  if (method === undefined)
    return {
      kind: "wrong",
      reason: t`the function cannot be read without running the code; write its name as a string`,
    };
  const exact = contract.functions.find(
    (one) => rawText(one.name) === method && call.types !== undefined && sameTypes(one, call.types),
  );
  if (exact !== undefined) return found(exact);
  const named = functionsNamed(contract.functions, method, call.types?.length ?? call.arguments?.length);
  const fitting = named.filter((one) => mayHaveTypes(one, call.types));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return found(only);
  return only === undefined ? bySignature(method, contract) : ambiguous(fitting);
}

function sameTypes({ parameters }: ContractFunction, types: readonly string[]): boolean {
  return parameters.length === types.length && parameters.every(({ type }, index) => type.text === types[index]);
}

const ELEMENTARY = /^(?:u?int\d+|address|bool|bytes\d*|string)(?=\[|$)/;

/** Names of types from the source (structs, enums, contracts) match any type. */
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

function ambiguous(fitting: readonly ContractFunction[]): BoundPart<ContractFunction> {
  const signatures = fitting.map(({ signature }) => signature).join(", ");
  return { kind: "wrong", reason: t`several functions have this name; write one of ${signatures}` };
}

/** A signature has all that encoding needs, with or without an artifact. */
function bySignature(method: string, contract: KnownContract): BoundPart<ContractFunction> {
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
    return found(called, t`No artifact has ${signature}: the signature in the source is used.`);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", reason: withoutStop(error.message) };
  }
}

function noSuch(method: string, { name, functions }: KnownContract): string {
  if (functions.length === 0)
    return t`no artifact describes ${name}; write the function as a signature such as ${nameOf(method)}(address,uint256)`;
  const names = [...new Set(functions.map((one) => nameText(one.name)))].slice(0, 8).join(", ");
  return t`${name} has no function "${method}" that takes these arguments; it has ${names}`;
}

/**
 * Returns the cached estimate of a bound call without a request. A missing limit cannot be too small: the cost is then
 * computed with the suggested limit.
 *
 * @param marginPercent - room above the needed `fee_limit`
 */
export function cachedEstimateOf(
  cache: EstimateCache,
  network: string,
  { intent, limit }: BoundCall,
  marginPercent: bigint,
): CachedEstimate | undefined {
  const entry = cache.get(network, intent);
  if (limit.isReal || entry?.kind !== "known" || entry.estimate.kind !== "estimated") return entry;
  const feeLimit = suggestedFeeLimit(entry.estimate, marginPercent);
  const priced = cache.get(network, { ...intent, feeLimit });
  if (priced?.kind !== "known" || priced.estimate.kind !== "estimated") return priced;
  return { ...priced, estimate: withoutLimit(priced.estimate) };
}

function withoutLimit(estimate: EstimatedCall): EstimatedCall {
  const shortages = estimate.cost.shortages.filter(({ kind }) => kind === "balance");
  return { ...estimate, cost: { ...estimate.cost, shortages } };
}
