import {
  type AbiInput,
  type AbiParameter,
  type ContractFunction,
  encodeAbi,
  encodeCall,
  type InputValue,
  inputFromText,
  typedValues,
} from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { counted } from "@finality/tron/format";
import {
  type Address,
  hex,
  LARGEST_AMOUNT,
  nameText,
  parseAmount,
  type Sun,
  sun,
  toBase58,
  wholeNumberIn,
} from "@finality/tron/primitives";
import { serialisedAbi, USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { CodeIntent } from "../estimates/call-estimate.ts";
import { contractOf, functionOf } from "./bind-target.ts";
import type { BindingContext, Bound, BoundLimit, KnownContract, Missing, Part, Unbound } from "./binding.ts";
import type { WantedCall, WantedValue } from "./call-site.ts";

/**
 * Ties a call that somebody wrote down to a chain: which contract, which function, which bytes, by whom. Nothing is
 * asked of anybody.
 *
 * @returns the intent with everything that was assumed, or what is missing or wrong, in words
 */
export function bindCall(wanted: WantedCall, context: BindingContext): Bound | Unbound {
  if (wanted.problem !== undefined) return { kind: "wrong", reason: withoutStop(wanted.problem) };
  const contract = contractOf(wanted, context);
  if (contract.kind !== "found") return contract;
  const called = functionOf(wanted, contract.value);
  if (called.kind !== "found") return called;
  const caller = callerOf(wanted, context);
  if (caller.kind !== "found") return caller;
  const inputs = argumentsOf(wanted, { contract: contract.value, called: called.value }, context);
  if (inputs.kind !== "found") return inputs;
  const amounts = amountsOf(wanted, context, takesValue(contract.value, called.value));
  if (amounts.kind !== "found") return amounts;
  const parts = [contract, called, caller, inputs, amounts];
  const typed = typedValues(called.value.parameters, inputs.value, (name) => context.addressOf(name));
  if (!typed.ok)
    return {
      kind: "wrong",
      reason: typed.misfits.map(({ path, reason }) => (path === "" ? reason : `${path}: ${reason}`)).join("; "),
    };
  const subject = { contract: contract.value, called: called.value, caller: caller.value, values: typed.value };
  const made = intentOf(wanted, subject, amounts.value);
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

function withoutStop(sentence: string): string {
  return sentence.replace(/[.。]$/, "");
}

/** What the ABI says of a function; one that only its signature describes may take coins or not. */
function takesValue({ functions }: KnownContract, called: ContractFunction): boolean | undefined {
  return functions.includes(called) ? called.mutability === "payable" : undefined;
}

interface Subject {
  readonly contract: KnownContract;
  readonly called: ContractFunction;
  readonly caller: Address;
  readonly values: readonly AbiInput[];
}

type Made = { readonly kind: "found"; readonly value: CodeIntent } | Unbound;

function intentOf(
  wanted: WantedCall,
  { contract, called, caller, values }: Subject,
  { limit, callValue, token }: { limit: { feeLimit: Sun }; callValue: Sun; token: object },
): Made {
  const common = { owner: caller, callValue, feeLimit: limit.feeLimit };
  if (wanted.kind === "deployment") {
    const { bytecode, name, abi } = contract;
    if (bytecode === undefined)
      return { kind: "missing", missing: [{ kind: "bytecode", key: name, question: t`the creation code of ${name}` }] };
    const code = hex(bytecode + encodeAbi(called.parameters, values));
    return found({
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
  return found({ ...common, kind: "contract-call", contract: contract.address, data, ...token });
}

/** What a deployment carries when nobody says: the caller pays all energy. */
const DEPLOYED_AS = { userPercent: 100n, originEnergyLimit: USUAL_OWNER_ENERGY_LIMIT };

function found(value: CodeIntent): Made {
  return { kind: "found", value };
}

function callerOf(
  { caller }: WantedCall,
  context: BindingContext,
): { kind: "found"; value: Address; assumptions: readonly string[] } | Unbound {
  if (typeof caller?.value === "string") {
    const address = context.addressOf(caller.value);
    if (address !== undefined) return { kind: "found", value: address, assumptions: [] };
    return { kind: "wrong", reason: t`no account is called "${caller.value}", and it is no address` };
  }
  const named = caller && accountIn(caller.text, context);
  if (named !== undefined) return { kind: "found", value: named.value, assumptions: [named.assumption] };
  const chosen = context.caller;
  if (chosen === undefined) return { kind: "wrong", reason: t`there is no account to call with; add one` };
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

/** An account that a name in the source stands for, and why. */
export interface NamedAccount {
  readonly value: Address;
  readonly assumption: string;
}

interface Filled {
  readonly value?: InputValue;
  readonly missing?: Missing;
  readonly assumption?: string;
}

/**
 * The arguments of a call: what the source says, what an account's name stands for, and what a person answered before.
 */
function argumentsOf(wanted: WantedCall, it: Called, context: BindingContext): Part<readonly InputValue[]> {
  const { parameters } = it.called;
  const written = wanted.arguments;
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
    ? t`${signature} takes ${taken}, and there is ${there}`
    : t`${signature} takes ${taken}, and there are ${there}`;
}

interface Place extends Called {
  readonly parameter: AbiParameter;
  readonly index: number;
}

function fill(written: WantedValue | undefined, place: Place, context: BindingContext): Filled {
  if (written?.value !== undefined) return { value: written.value };
  const { contract, called, parameter, index } = place;
  const name = nameText(parameter.name, t`argument ${index + 1}`);
  const text = written?.text ?? "";
  const key = `argument ${contract.name}.${called.signature} ${index} ${text}`.trim();
  const answer = context.answer(key);
  if (answer !== undefined)
    return { value: inputFromText(parameter.type, answer), assumption: t`${name} is ${answer}: you said so.` };
  const account = parameter.type.kind === "address" ? accountIn(text, context) : undefined;
  if (account !== undefined) return account;
  const question = `${nameText(called.name)}: ${name} (${parameter.type.text})${text === "" ? "" : t`, in the source ${text}`}`;
  return { missing: { kind: "argument", key, question, type: parameter.type.text } };
}

/** `Dave.address` and `dave` most likely mean the account Dave. */
function accountIn(text: string, context: BindingContext): NamedAccount | undefined {
  const [, word] = /^(\w+)(?:\.(?:address|base58|hex|account))?$/.exec(text) ?? [];
  const address = word === undefined ? undefined : (context.addressOf(word) ?? context.addressOf(capital(word)));
  if (address === undefined) return undefined;
  return {
    value: address,
    assumption: t`${text} is the account ${capital(word ?? "")} (${toBase58(address)}), by its name.`,
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A limit so wide that it never stops a run: it stands in where nobody wrote one. */
const NO_FEE_LIMIT: Sun = sun(15_000_000_000n);

/** What a call spends and may spend. */
export interface BoundAmounts {
  readonly limit: BoundLimit;
  readonly callValue: Sun;
  readonly token: { readonly tokenId?: bigint; readonly tokenValue?: bigint };
}

type Named = "feeLimit" | "callValue" | "tokenId" | "tokenValue";

/**
 * The amounts of a call, in sun; those that are not written are none.
 *
 * @param takesValue - whether the function takes coins; `undefined` where no ABI tells
 */
function amountsOf(asked: WantedCall, context: BindingContext, takesValue?: boolean): Part<BoundAmounts> {
  const isOmitted = asked.omitsValue === true && takesValue === false && asked.callValue !== undefined;
  const wanted = isOmitted ? { ...asked, callValue: undefined } : asked;
  const assumptions: string[] = [];
  const missing: Missing[] = [];
  const wrong: string[] = [];
  const read = (name: Named): bigint | undefined => {
    const written = wanted[name];
    if (written === undefined) return undefined;
    const key = amountKey(name, written);
    const answer = written.value === undefined ? context.answer(key) : undefined;
    if (answer !== undefined) assumptions.push(t`${written.text} is ${answer}: you said so.`);
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
    limit: limitOf(wanted, feeLimit),
    callValue: sun(callValue ?? 0n),
    token: { ...(tokenId === undefined ? {} : { tokenId }), ...(tokenValue === undefined ? {} : { tokenValue }) },
  };
  if (isOmitted && asked.callValue?.value !== undefined && asked.callValue.value !== 0n)
    assumptions.push(t`TronWeb leaves out callValue ${asked.callValue.text}: the function takes no coins.`);
  if (wanted.unread !== undefined)
    assumptions.push(t`"${wanted.unread}" cannot be read without running the code: no token is taken to go along.`);
  if (feeLimit === undefined && wanted.usualFeeLimit !== undefined)
    assumptions.push(t`No feeLimit is written: TronWeb sends 150 coins then.`);
  return { kind: "found", value, assumptions };
}

/** Why no chain could take it. */
function faultOf(amount: bigint): string | undefined {
  if (amount < 0n) return t`is negative; write 0 or more`;
  return amount > LARGEST_AMOUNT ? t`is larger than any amount on the chain; write a smaller one` : undefined;
}

function limitOf({ feeLimit: written, usualFeeLimit }: WantedCall, feeLimit: bigint | undefined): BoundLimit {
  return {
    feeLimit: sun(feeLimit ?? usualFeeLimit ?? NO_FEE_LIMIT),
    isReal: feeLimit !== undefined || usualFeeLimit !== undefined,
    range: written?.range,
  };
}

function amountKey(name: Named, { text }: WantedValue): string {
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
