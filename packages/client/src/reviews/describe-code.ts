import { type AbiInput, type AbiParameter, type ContractFunction, isCreatedFrom } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { formatTokenAmount, grouped, type NameOf, percent, shortAddress } from "@finality/tron/format";
import {
  type Address,
  type ForeignText,
  foreignText,
  type Hex,
  isBlank,
  toBase58,
  visibleLine,
} from "@finality/tron/primitives";
import type { IntentOf } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { ContractGateway } from "../gateway/gateway.ts";
import { approvalWarning, lookalikeLines, partyText, quoted } from "../labels/reviews.ts";
import { approvalOf, approveData, type KnownToken, tokenBalance, transferData } from "../tokens.ts";
import { argumentLines, tokenLines } from "./code-review.view.ts";
import type { CodeDescription } from "./review-transaction.ts";
import { partyOf } from "./system-facts.ts";

/** A called function with its contract and its arguments. */
interface DescribedCall {
  readonly contract: { readonly address: Address; readonly name: ForeignText };
  readonly called: Pick<ContractFunction, "name" | "parameters">;
  readonly values: readonly AbiInput[];
  readonly nameOf: NameOf;
  /** TRC-10 token that is sent with the call. */
  readonly tokenId?: bigint | undefined;
  readonly tokenValue?: bigint | undefined;
}

/** Describes a call. */
export function describeCall({
  contract,
  called,
  values,
  nameOf,
  tokenId,
  tokenValue,
}: DescribedCall): CodeDescription {
  return {
    action: t`Call ${quoted(called.name)} on ${quoted(contract.name, toBase58(contract.address))}`,
    contract: contract.address,
    contractName: contract.name,
    money: tokenLines(tokenId, tokenValue),
    details: [t`Function: ${quoted(called.name)}`, ...argumentLines(called.parameters, values, nameOf)],
  };
}

/** A contract of an artifact that is deployed. */
interface DescribedDeployment {
  readonly name: string;
  /** Path of the artifact. */
  readonly artifact: string;
  readonly libraries: readonly { readonly name: string; readonly address: Address }[];
  readonly parameters: readonly AbiParameter[];
  readonly values: readonly AbiInput[];
  readonly nameOf: NameOf;
  /** Share of the energy that callers pay, 0 to 100. */
  readonly userPercent: bigint;
  /** Maximum energy that the owner pays for a call. */
  readonly originEnergyLimit: bigint;
}

/** Describes a deployment. */
export function describeDeployment(deployment: DescribedDeployment): CodeDescription {
  const { name, artifact, libraries, parameters, values, nameOf, userPercent, originEnergyLimit } = deployment;
  return {
    action: t`Deploy ${quoted(foreignText(name))}`,
    money: [],
    details: [
      t`Artifact: ${visibleLine(artifact)}`,
      ...libraries.map((it) => t`Library: ${visibleLine(it.name)} at ${toBase58(it.address)}`),
      ...argumentLines(parameters, values, nameOf),
      t`The caller pays ${percent(userPercent)} of the energy; you pay at most ${grouped(originEnergyLimit)} per call`,
    ],
  };
}

/** A transfer of tokens, or the permission to spend them. Amounts are in the token's smallest unit. */
interface DescribedTokenUse {
  readonly kind: "transfer" | "approval";
  readonly token: KnownToken;
  readonly party: Address;
  readonly amount: bigint;
  readonly nameOf: NameOf;
  readonly lookalikes: readonly Address[];
}

/** Returns the call data of a transfer or an approval. */
export function tokenUseData({ kind, party, amount }: Pick<DescribedTokenUse, "kind" | "party" | "amount">): Hex {
  return kind === "transfer" ? transferData(party, amount) : approveData(party, amount);
}

/** Describes a transfer or an approval of tokens. */
export function describeTokenUse(use: DescribedTokenUse): CodeDescription {
  const { kind, token, party, amount, nameOf, lookalikes } = use;
  const shown = isBlank(token.symbol)
    ? formatTokenAmount(amount, token)
    : `${formatTokenAmount(amount, { ...token, symbol: foreignText("") })} ${quoted(token.symbol)}`;
  return {
    action: tokenUseLabel(use, shown),
    contract: token.address,
    contractName: isBlank(token.name) ? token.symbol : token.name,
    money: [
      ...lookalikes.flatMap((it) => lookalikeLines(party, it)),
      t`${kind === "transfer" ? t`To` : t`Spender`}: ${partyText(partyOf(nameOf, party))}`,
      t`Amount: ${shown} = ${String(amount)} units, ${token.decimals} decimals ${token.decimalsBy}`,
    ],
    details: [],
    onTrust: t`the token has ${token.decimals} decimals`,
  };
}

/** Returns the label of a transaction that uses tokens. @param shown - The amount; by default with the plain symbol. */
export function tokenUseLabel(
  { kind, token, party, amount, nameOf }: Omit<DescribedTokenUse, "lookalikes">,
  shown = formatTokenAmount(amount, token),
): string {
  const who = shortAddress(party, nameOf);
  return kind === "transfer" ? t`Transfer ${shown} to ${who}` : t`Allow ${who} to spend ${shown}`;
}

/** Code of an artifact. */
interface CompiledCode {
  /** Creation code, hex; undefined if the artifact has none. */
  readonly bytecode: string | undefined;
  /** Path of the artifact, or its description. */
  readonly path: string;
}

const PATH = 120;

/** Returns the warning about a contract whose code is not that of its artifact. @param created - by the gateway */
export function codeDoubt(created: Hex, { bytecode, path }: CompiledCode): string | undefined {
  if (created === "" || bytecode === undefined || isCreatedFrom(created, bytecode)) return undefined;
  return t`According to this gateway, the code at this address is not that of ${visibleLine(path, PATH)}: functions and arguments may have other effects there.`;
}

/**
 * Returns the warning about an approval in call data; undefined for other calls. The data decides, not a name.
 * Without an answer of the gateway, the warning about unlimited approvals stays, because it needs no balance.
 */
export async function approvalDoubt(
  gateway: ContractGateway,
  { owner, contract, data }: IntentOf<"contract-call">,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const approval = approvalOf(data);
  if (approval === undefined) return undefined;
  const balance = await tokenBalance(gateway, contract, owner, signal).catch(unlessCancelled);
  return approvalWarning(approval, balance, (amount) => t`${grouped(amount)} of its smallest units`);
}

function unlessCancelled(error: unknown): undefined {
  if (!isChainError(error)) throw error;
}
