import type { CodeIntent } from "@finality/client/estimates";
import { type AbiInput, decodeAbi, keyOf } from "@finality/tron/abi";
import { isChainError } from "@finality/tron/errors";
import { grouped, percent } from "@finality/tron/format";
import { foreignText, type Hex, hexToBytes, shorten, toBase58 } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { quoted } from "../../labels/reviews.ts";
import type { CodeReplacement } from "../../sending/code-replacement.ts";
import { argumentLines, tokenLines } from "../../sending/code-review.view.ts";
import type { SentTransaction } from "../../sending/transaction-kind.ts";
import { signerNamed } from "./contract-arguments.ts";
import { type CallableContract, contractAt } from "./known-contracts.ts";
import { type CodeOrder, sendCode } from "./send-code.ts";
import { type ContractServices, type ContractContext, contextOn } from "./services.ts";

type Shown = Pick<
  CodeOrder,
  "action" | "money" | "details" | "contract" | "contractName" | "abi" | "codeDoubt" | "mutability"
>;
type Call = Extract<CodeIntent, { kind: "contract-call" }>;
type Creation = Extract<CodeIntent, { kind: "contract-creation" }>;

/**
 * Sends a call or a deployment again, with the values that were signed before. Returns undefined if the user cancels.
 *
 * @throws {ChainError} `SIGNING_KEY_MISSING`, `CALL_WOULD_FAIL`
 */
export async function replaceCode(
  services: ContractServices,
  order: CodeReplacement,
): Promise<SentTransaction | undefined> {
  const { intent, network, label, acknowledgeUnknown, acknowledgeFailure, lastFailure } = order;
  const place = await contextOn(services, network);
  signerNamed(place, toBase58(intent.owner));
  const shown = intent.kind === "contract-call" ? await callShown(place, intent) : creationShown(intent);
  const asSigned = lastFailure === undefined ? String(intent.feeLimit) : undefined;
  const details = lastFailure === undefined ? shown.details : [t`Last time: ${lastFailure}`, ...shown.details];
  return await sendCode(place, {
    ...order,
    ...shown,
    details,
    fields: { feeLimit: order.feeLimit ?? asSigned, label, acknowledgeUnknown, acknowledgeFailure },
  });
}

/** Describes a call. Without an ABI it shows the data. */
async function callShown(place: ContractContext, { contract: address, data, tokenId, tokenValue }: Call): Promise<Shown> {
  const contract = await contractAt(place, address).catch(unknownMeansNone);
  const fn = contract?.functions.find(({ signature }) => data.startsWith(keyOf({ kind: "function", signature })));
  const name = contract?.name ?? foreignText("");
  const known = fn && argumentsIn(data, fn);
  return {
    contract: address,
    contractName: name,
    abi: contract?.abi,
    codeDoubt: contract?.codeDoubt,
    mutability: fn?.mutability,
    action: t`Call ${fn === undefined ? t`a function` : quoted(fn.name)} on ${quoted(name, toBase58(address))}`,
    money: tokenLines(tokenId, tokenValue),
    details:
      known === undefined
        ? [t`Data: ${shorten(data)}`]
        : [...(fn === undefined ? [] : [t`Function: ${quoted(fn.name)}`]), ...known],
  };
}

/** The arguments, one a line; undefined when the data does not hold what this function takes. */
function argumentsIn(data: Hex, { parameters }: CallableContract["functions"][number]): readonly string[] | undefined {
  try {
    const values = decodeAbi(parameters, hexToBytes(data.slice(8)));
    return argumentLines(parameters, values as readonly AbiInput[]);
  } catch (error) {
    if (!isChainError(error)) throw error;
    return undefined;
  }
}

function creationShown({ name, bytecode, userPercent, originEnergyLimit }: Creation): Shown {
  return {
    action: t`Deploy ${name === "" ? t`a contract` : quoted(foreignText(name))}`,
    money: [],
    details: [
      t`Bytecode: ${bytecode.length / 2} bytes with the arguments, as signed before`,
      t`The caller pays ${percent(userPercent)} of the energy; you pay at most ${grouped(originEnergyLimit)} a call`,
    ],
  };
}

function unknownMeansNone(error: unknown): undefined {
  if (isChainError(error) && error.code === "CONTRACT_UNKNOWN") return undefined;
  throw error;
}
