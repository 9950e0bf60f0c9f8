import type { Vote } from "@finality/client/gateway";
import type { SystemFacts, SystemIntent } from "@finality/client/reviews";
import { effectOf } from "@finality/client/reviews";
import { isChainError } from "@finality/tron/errors";
import { type Checked, grouped, sunText } from "@finality/tron/format";
import { type Address, parseCoins, type Sun, wholeNumberIn } from "@finality/tron/primitives";
import type { StakePurpose } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";

export type SystemCommandKind = Exclude<SystemIntent["kind"], "permission-update">;

/** Known fields. `lockPeriod` counts blocks; absent if not locked. */
export interface SystemFields {
  readonly from?: Address;
  readonly resource?: StakePurpose;
  readonly to?: Address;
  readonly amount?: Sun;
  readonly lockPeriod?: bigint;
  readonly contract?: Address;
  readonly tokenId?: string;
  /** Token amount in the smallest unit. */
  readonly units?: bigint;
  readonly name?: string;
  /** Caller's share of the energy, percent. */
  readonly percent?: bigint;
  /** Energy. */
  readonly limit?: bigint;
  /** Witnesses to prompt votes for, in order. */
  readonly candidates?: readonly Address[];
  readonly votes?: readonly Vote[];
}

export const TITLES: { readonly [K in SystemCommandKind]: string } = {
  stake: t`Stake`,
  unstake: t`Unstake`,
  withdraw: t`Withdraw Unstaked`,
  "cancel-unstakes": t`Cancel All Unstakes`,
  delegate: t`Delegate`,
  undelegate: t`Undelegate`,
  vote: t`Vote`,
  "claim-reward": t`Withdraw Reward`,
  "token-transfer": t`Send Tokens (TRC-10)`,
  "account-creation": t`Create Account on Chain`,
  "account-name": t`Update Account Name`,
  "contract-share": t`Set Callers' Share of Energy`,
  "contract-limit": t`Set Energy Limit of Contract`,
  "contract-abi-removal": t`Clear ABI of Contract`,
};

export type RequiredField = Exclude<keyof SystemFields, "lockPeriod" | "candidates">;

/** Fields that each command needs. */
export const REQUIRED_FIELDS: { readonly [K in SystemCommandKind]: readonly RequiredField[] } = {
  stake: ["from", "resource", "amount"],
  unstake: ["from", "resource", "amount"],
  withdraw: ["from"],
  "cancel-unstakes": ["from"],
  delegate: ["from", "resource", "to", "amount"],
  undelegate: ["from", "resource", "to", "amount"],
  vote: ["from", "votes"],
  "claim-reward": ["from"],
  "token-transfer": ["from", "tokenId", "to", "units"],
  "account-creation": ["from", "to"],
  "account-name": ["from", "name"],
  "contract-share": ["from", "contract", "percent"],
  "contract-limit": ["from", "contract", "limit"],
  "contract-abi-removal": ["from", "contract"],
};

/** Returns whether all fields are known, so that no prompt is needed. */
export function isComplete(kind: SystemCommandKind, fields: SystemFields): boolean {
  return REQUIRED_FIELDS[kind].every((it) => fields[it] !== undefined);
}

/** Returns the intent; undefined if fields are missing. */
export function intentOf(kind: SystemCommandKind, fields: SystemFields): SystemIntent | undefined {
  const { from: owner } = fields;
  if (owner === undefined) return undefined;
  switch (kind) {
    case "withdraw":
    case "cancel-unstakes":
    case "claim-reward":
      return { kind, owner };
    case "vote":
      return fields.votes && { kind, owner, votes: fields.votes };
    case "stake":
    case "unstake":
    case "delegate":
    case "undelegate":
      return stakeIntent(kind, owner, fields);
    case "token-transfer":
    case "account-creation":
    case "account-name":
      return accountIntent(kind, owner, fields);
    case "contract-share":
    case "contract-limit":
    case "contract-abi-removal":
      return contractIntent(kind, owner, fields);
  }
}

function stakeIntent(
  kind: "stake" | "unstake" | "delegate" | "undelegate",
  owner: Address,
  { resource, to: receiver, amount, lockPeriod }: SystemFields,
): SystemIntent | undefined {
  if (resource === undefined || amount === undefined) return undefined;
  if (kind === "stake" || kind === "unstake") return { kind, owner, resource, amount };
  if (resource === "TRON_POWER" || receiver === undefined) return undefined;
  const lock = kind === "delegate" && lockPeriod !== undefined && lockPeriod > 0n ? { lockPeriod } : {};
  return { kind, owner, resource, receiver, amount, ...lock };
}

function accountIntent(
  kind: "token-transfer" | "account-creation" | "account-name",
  owner: Address,
  { to, tokenId, units, name }: SystemFields,
): SystemIntent | undefined {
  if (kind === "account-name") return name === undefined ? undefined : { kind, owner, name };
  if (to === undefined) return undefined;
  if (kind === "account-creation") return { kind, owner, account: to };
  return tokenId === undefined || units === undefined ? undefined : { kind, owner, to, tokenId, amount: units };
}

function contractIntent(
  kind: "contract-share" | "contract-limit" | "contract-abi-removal",
  owner: Address,
  { contract, percent, limit }: SystemFields,
): SystemIntent | undefined {
  if (contract === undefined) return undefined;
  if (kind === "contract-abi-removal") return { kind, owner, contract };
  if (kind === "contract-limit")
    return limit === undefined ? undefined : { kind, owner, contract, originEnergyLimit: limit };
  return percent === undefined ? undefined : { kind, owner, contract, userPercent: percent };
}

/** Text fields other than amounts of coins. */
export type TypedField = "tokenId" | "units" | "name" | "percent" | "limit";

/** Sample values, used to read the chain before the user types. */
export const SAMPLES: { readonly [F in TypedField]: SystemFields } = {
  tokenId: {},
  units: { units: 0n },
  name: { name: "" },
  percent: { percent: 0n },
  limit: { limit: 0n },
};

const BOUNDS: { readonly [F in Exclude<TypedField, "name" | "tokenId">]: readonly [least: bigint, most: bigint] } = {
  units: [1n, 2n ** 63n - 1n],
  percent: [0n, 100n],
  limit: [1n, 2n ** 63n - 1n],
};

/**
 * Parses one field.
 *
 * @returns the value, or the reason why it is invalid
 */
export function readField(field: TypedField, text: string): SystemFields | string {
  const value = text.trim();
  if (field === "name") return value === "" ? t`Write a name.` : { name: value };
  if (field === "tokenId") return /^\d{1,19}$/.test(value) ? { tokenId: value } : t`Write the number of the token.`;
  const [least, most] = BOUNDS[field];
  const number = wholeNumberIn(value);
  const fits = number !== undefined && number >= least && number <= most;
  return fits ? { [field]: number } : t`Write a whole number from ${grouped(least)} to ${grouped(most)}.`;
}

/** Validates a field while the user types: describes the effect, or why the chain would refuse it. */
export function checkField(
  field: TypedField,
  text: string,
  intentFor: (more: SystemFields) => SystemIntent | undefined,
  facts: SystemFacts | undefined,
): Checked<SystemFields> {
  if (text.trim() === "") return { kind: "empty" };
  const value = readField(field, text);
  if (typeof value === "string") return { kind: "wrong", message: value };
  const intent = intentFor(value);
  const words = intent && facts && effectOf(intent, facts);
  const [doubt] = words?.doubts ?? [];
  return doubt === undefined
    ? { kind: "good", value, message: words?.effect ?? "" }
    : { kind: "wrong", message: doubt };
}

/** Validates an amount while the user types: describes the effect, or why the chain would refuse it. */
export function checkAmount(
  text: string,
  intentFor: (amount: Sun) => SystemIntent | undefined,
  facts: SystemFacts,
): Checked<Sun> {
  if (text.trim() === "") return { kind: "empty" };
  try {
    const amount = parseCoins(text);
    const intent = intentFor(amount);
    const words = intent && effectOf(intent, facts);
    const [doubt] = words?.doubts ?? [];
    if (doubt !== undefined) return { kind: "wrong", message: doubt };
    if (amount === 0n) return { kind: "wrong", message: t`Write more than 0.` };
    return { kind: "good", value: amount, message: `${sunText(amount)} · ${words?.effect ?? ""}` };
  } catch (error) {
    if (!isChainError(error)) throw error;
    return { kind: "wrong", message: error.message };
  }
}
