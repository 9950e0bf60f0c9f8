import { describeCall, describeDeployment } from "@finality/client/reviews";
import {
  type AbiInput,
  type ContractFunction,
  candidateFromJson,
  constructorOf,
  createAbiIndex,
  encodeAbi,
  functionDataOf,
  joinAbiIndexes,
  linkCode,
  type WorkspaceContract,
} from "@finality/tron/abi";
import { ChainError } from "@finality/tron/errors";
import { type Address, defined, hex, isHexPairs, type Sun, sun } from "@finality/tron/primitives";
import { USUAL_OWNER_ENERGY_LIMIT } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import { integerOf } from "./contract-arguments.ts";
import { type CallableContract, deployableContracts, indexOf } from "./known-contracts.ts";
import type { LinkedLibrary } from "./link-libraries.ts";
import type { CodeOrder } from "./send-code.ts";
import type { ContractContext } from "./services.ts";

const MOST = 2n ** 63n - 1n;
const WHOLE = 100n;

/** Values of a complete call. */
interface CompleteCall {
  readonly contract: CallableContract;
  readonly fn: ContractFunction;
  readonly from: Address;
  readonly values: readonly AbiInput[];
  readonly callValue?: Sun;
}

/**
 * Returns the order of a contract call, without its `fee_limit`.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `ABI_MALFORMED`
 */
export function callOrder(
  { nameOf }: ContractContext,
  fields: CommandArguments["finality.callContract"],
  { contract, fn, from, values, callValue = sun(0n) }: CompleteCall,
  unattended: boolean,
): CodeOrder {
  const tokenId = integerOf("tokenId", fields.tokenId, 0n, MOST);
  const tokenValue = integerOf("tokenValue", fields.tokenValue, 0n, MOST);
  return {
    ...describeCall({ contract, called: fn, values, nameOf, tokenId, tokenValue }),
    intent: {
      kind: "contract-call",
      owner: from,
      contract: contract.address,
      callValue,
      feeLimit: sun(0n),
      data: functionDataOf(fn, values),
      ...defined({ tokenId, tokenValue }),
    },
    abi: contract.abi,
    codeWarning: contract.codeWarning,
    mutability: fn.mutability,
    fields,
    unattended,
  };
}

/** @throws {ChainError} `CONTRACT_UNKNOWN` */
export async function artifactNamed(context: ContractContext, named: string): Promise<WorkspaceContract> {
  const contracts = await deployableContracts(context);
  const found = contracts.filter(({ name, path, source }) => [name, path, source].includes(named));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const reason =
    found.length > 1
      ? t`${found.length} contracts have this name; write the path of its artifact: ${found.map(({ path }) => path).join(t` or `)}`
      : t`the workspace has no artifact of it with bytecode; compile it, or add its folder to finality.abi.globs`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: named, reason });
}

/** Values of a complete deployment. */
interface CompleteDeployment {
  readonly artifact: WorkspaceContract;
  readonly libraries?: readonly LinkedLibrary[];
  readonly from: Address;
  readonly values: readonly AbiInput[];
  readonly callValue?: Sun;
  readonly userPercent?: bigint;
  readonly originEnergyLimit?: bigint;
}

/**
 * Returns the order of a deployment, without its `fee_limit`.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`, `ABI_MALFORMED`, `CONTRACT_UNKNOWN`
 */
export async function deployOrder(
  context: ContractContext,
  fields: CommandArguments["finality.deployContract"],
  answers: CompleteDeployment,
  unattended: boolean,
): Promise<CodeOrder> {
  const { artifact, from, values, libraries = [], callValue = sun(0n) } = answers;
  const abi = artifact.abi();
  const { parameters, mutability } = constructorOf(abi);
  const userPercent = answers.userPercent ?? integerOf("userPercent", fields.userPercent, 0n, WHOLE) ?? WHOLE;
  const originEnergyLimit =
    answers.originEnergyLimit ??
    integerOf("originEnergyLimit", fields.originEnergyLimit, 1n, MOST) ??
    USUAL_OWNER_ENERGY_LIMIT;
  const [{ serialisedAbi }, code] = await Promise.all([
    import("../../host/secrets/lazy-signing.ts"),
    codeOf(context, artifact, libraries),
  ]);
  return {
    ...describeDeployment({
      name: artifact.name,
      artifact: artifact.path,
      libraries,
      parameters,
      values,
      nameOf: context.nameOf,
      userPercent,
      originEnergyLimit,
    }),
    intent: {
      kind: "contract-creation",
      owner: from,
      name: artifact.name,
      abi: serialisedAbi(abi),
      bytecode: hex(code + encodeAbi(parameters, values)),
      callValue,
      feeLimit: sun(0n),
      userPercent,
      originEnergyLimit,
    },
    abi: joinAbiIndexes(
      createAbiIndex(abi.flatMap((entry) => candidateFromJson(entry, artifact.origin) ?? [])),
      await indexOf(context.services.artifacts),
    ),
    mutability,
    fields,
    unattended,
  };
}

async function codeOf(
  { services }: ContractContext,
  artifact: WorkspaceContract,
  libraries: readonly LinkedLibrary[],
): Promise<string> {
  const code = await (await services.artifacts.get()).bytecodeOf(artifact);
  const addresses = new Map(libraries.map(({ placeholder, address }) => [placeholder, address]));
  const linked = code === undefined ? undefined : linkCode(code, addresses);
  if (linked !== undefined && isHexPairs(linked)) return linked;
  const reason = t`${artifact.path} no longer has bytecode; compile it again`;
  throw new ChainError("CONTRACT_UNKNOWN", { contract: artifact.name, reason });
}
