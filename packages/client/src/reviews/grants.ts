import type { Address } from "@finality/tron/primitives";
import type { StructValue, TypedData, TypedValue } from "@finality/tron/typed-data";

/** Part of an amount that one account may take from another. */
export interface Grant {
  readonly token: Address;
  /** Account that may take. */
  readonly spender: Address;
  /** Account that gets the tokens; undefined if the spender decides. */
  readonly receiver?: Address;
  /** In the smallest unit of the token. */
  readonly amount: bigint;
  readonly isUnlimited: boolean;
  /** End of the allowance, seconds of chain time; undefined if it stays until it is spent or set to 0. */
  readonly until?: bigint;
}

/** Meaning of typed data whose shape is known. */
export interface Grants {
  readonly grants: readonly Grant[];
  /** Account that gives; undefined if it is the signer. */
  readonly owner?: Address;
  /** Last time at which the signature can be used, seconds of chain time. */
  readonly deadline: bigint;
  /** True if the allowance stays after the deadline. */
  readonly keeps: boolean;
  /** Largest fee in the same token. */
  readonly mostFee?: bigint;
}

type Fields = ReadonlyMap<string, TypedValue>;

/**
 * Returns who may take which tokens by typed data: TRC-2612 and DAI permits, Permit2 and GasFree. It decides by the
 * fields, because a contract can give its types any name. Undefined for other typed data.
 */
export function grantsIn({ domain, message }: TypedData): Grants | undefined {
  const fields = fieldsOf(message);
  const token = domain.verifyingContract;
  return (
    (token && (permitIn(fields, token) ?? allowanceOfAll(fields, token))) ??
    permit2In(fields) ??
    permit2TransferIn(fields) ??
    gasFreeIn(fields)
  );
}

/** `Permit` of TRC-2612: the allowance stays after the deadline. */
function permitIn(fields: Fields, token: Address): Grants | undefined {
  const [owner, spender] = [addressAt(fields, "owner"), addressAt(fields, "spender")];
  const [value, deadline] = [integerAt(fields, "value"), integerAt(fields, "deadline")];
  if (!owner || !spender || !value || !deadline) return undefined;
  return { owner, deadline: deadline.value, keeps: true, grants: [{ token, spender, ...amountOf(value) }] };
}

/** `Permit` of DAI, which allows everything or nothing. An expiry of 0 is none. */
function allowanceOfAll(fields: Fields, token: Address): Grants | undefined {
  const [owner, spender] = [addressAt(fields, "holder"), addressAt(fields, "spender")];
  const [expiry, allowed] = [integerAt(fields, "expiry"), fields.get("allowed")];
  if (!owner || !spender || !expiry || allowed?.kind !== "bool") return undefined;
  const deadline = expiry.value === 0n ? NEVER : expiry.value;
  const amount = allowed.value ? NEVER : 0n;
  return { owner, deadline, keeps: true, grants: [{ token, spender, amount, isUnlimited: allowed.value }] };
}

/** `PermitSingle` and `PermitBatch` of Permit2. */
function permit2In(fields: Fields): Grants | undefined {
  const [spender, deadline] = [addressAt(fields, "spender"), integerAt(fields, "sigDeadline")];
  const details = structsAt(fields, "details");
  if (!spender || !deadline || details === undefined) return undefined;
  const grants = details.flatMap((it): readonly Grant[] => {
    const [token, amount, until] = [addressAt(it, "token"), integerAt(it, "amount"), integerAt(it, "expiration")];
    return token && amount && until ? [{ token, spender, ...amountOf(amount), ...endOf(until) }] : [];
  });
  return details.length === 0 || grants.length < details.length
    ? undefined
    : { deadline: deadline.value, keeps: false, grants };
}

/** 0 means the block of the permit only. */
function endOf({ value }: Integer): Pick<Grant, "until"> {
  return value === 0n ? {} : { until: value };
}

/** `PermitTransferFrom` and `PermitBatchTransferFrom` of Permit2, with and without a witness. */
function permit2TransferIn(fields: Fields): Grants | undefined {
  const [spender, deadline] = [addressAt(fields, "spender"), integerAt(fields, "deadline")];
  const permitted = structsAt(fields, "permitted");
  if (!spender || !deadline || permitted === undefined) return undefined;
  const grants = permitted.flatMap((it): readonly Grant[] => {
    const [token, amount] = [addressAt(it, "token"), integerAt(it, "amount")];
    return token && amount ? [{ token, spender, ...amountOf(amount) }] : [];
  });
  return permitted.length === 0 || grants.length < permitted.length
    ? undefined
    : { deadline: deadline.value, keeps: false, grants };
}

/** `PermitTransfer` of GasFree: the provider moves tokens of the user's GasFree account, and takes a fee of them. */
function gasFreeIn(fields: Fields): Grants | undefined {
  const [token, spender] = [addressAt(fields, "token"), addressAt(fields, "serviceProvider")];
  const [owner, receiver] = [addressAt(fields, "user"), addressAt(fields, "receiver")];
  const [value, fee, deadline] = ["value", "maxFee", "deadline"].map((name) => integerAt(fields, name));
  if (!token || !spender || !owner || !receiver || !value || !fee || !deadline) return undefined;
  const grants = [{ token, spender, receiver, ...amountOf(value) }];
  return { owner, deadline: deadline.value, keeps: false, mostFee: fee.value, grants };
}

/** Largest integer of the chain, which stands for no end and no limit. */
const NEVER = 2n ** 256n - 1n;

/** Half of what the type can hold counts as unlimited: contracts subtract nothing from the largest values. */
function amountOf({ value, bits }: Integer): Pick<Grant, "amount" | "isUnlimited"> {
  return { amount: value, isUnlimited: value >= 2n ** BigInt(Math.trunc(bits - 1)) };
}

type Integer = Extract<TypedValue, { readonly kind: "integer" }>;

function fieldsOf({ fields }: StructValue): Fields {
  return new Map(fields.map(({ name, value }) => [name, value]));
}

function addressAt(fields: Fields, name: string): Address | undefined {
  const value = fields.get(name);
  return value?.kind === "address" ? value.value : undefined;
}

function integerAt(fields: Fields, name: string): Integer | undefined {
  const value = fields.get(name);
  return value?.kind === "integer" ? value : undefined;
}

/** Returns the fields of a struct, or of each struct of a list. */
function structsAt(fields: Fields, name: string): readonly Fields[] | undefined {
  const value = fields.get(name);
  if (value?.kind === "struct") return [fieldsOf(value)];
  if (value?.kind !== "list") return undefined;
  return value.items.flatMap((it) => (it.kind === "struct" ? [fieldsOf(it)] : []));
}
