import type { ContractFunction } from "../abi/contract-functions.ts";
import type { AbiInput } from "../abi/encode-abi.ts";
import { encodeAbi, encodeCall } from "../abi/encode-abi.ts";
import { typedValues } from "../abi/typed-value.ts";
import type { CodeIntent } from "../estimates/call-estimate.ts";
import { type Address, toBase58 } from "../primitives/address.ts";
import type { Sun } from "../primitives/amount.ts";
import { hex } from "../primitives/bytes.ts";
import { USUAL_OWNER_ENERGY_LIMIT } from "../primitives/chain-constants.ts";
import { serialisedAbi } from "../transaction/contract-abi.ts";
import { amountsOf } from "./bind-amounts.ts";
import { accountIn, argumentsOf } from "./bind-arguments.ts";
import { contractOf } from "./bind-contract.ts";
import { functionOf } from "./bind-function.ts";
import type { BindingContext, Bound, KnownContract, Unbound } from "./binding.ts";
import type { WantedCall } from "./wanted-call.ts";

/**
 * Ties a call that somebody wrote down to a chain: which contract, which function, which bytes, by whom. Nothing is
 * asked of anybody.
 *
 * @returns the intent with everything that was assumed, or what is missing or wrong, in words
 */
export function bindCall(wanted: WantedCall, context: BindingContext): Bound | Unbound {
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
      return { kind: "missing", missing: [{ kind: "bytecode", key: name, question: `the creation code of ${name}` }] };
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
    return { kind: "wrong", reason: `no deployment of ${contract.name} is known on this network; deploy it first` };
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
    return { kind: "wrong", reason: `no account is called "${caller.value}", and it is no address` };
  }
  const named = caller && accountIn(caller.text, context);
  if (named !== undefined) return { kind: "found", value: named.value, assumptions: [named.assumption] };
  const chosen = context.caller;
  if (chosen === undefined) return { kind: "wrong", reason: "there is no account to call with; add one" };
  const { name, address } = chosen;
  const why =
    caller === undefined ? "the source names no caller" : `${caller.text} cannot be read without running the code`;
  return {
    kind: "found",
    value: address,
    assumptions: [`Caller ${name} (${toBase58(address)}), the chosen account: ${why}.`],
  };
}
