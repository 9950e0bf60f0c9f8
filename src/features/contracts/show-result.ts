import {
  argumentList,
  eventText,
  type FailedRun,
  failureReason,
  falseReturn,
  revertTexts,
  runOf,
} from "@finality/client/explain";
import type { TransactionInfo } from "@finality/client/gateway";
import { returnedFalse } from "@finality/client/tokens";
import { type ExecutionOutcome, outcomeInInfo, type TrackedTransaction } from "@finality/client/tracking";
import { type AbiIndex, joinAbiIndexes, tryDecode } from "@finality/tron/abi";
import { ChainError, isChainError } from "@finality/tron/errors";
import { type NameOf, withoutStop } from "@finality/tron/format";
import { defined, type Hex, hexToBytes, visibleLine } from "@finality/tron/primitives";
import { callInBytes } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import { whileWorking } from "../../host/prompts/notify.ts";
import { chooseTransaction } from "../../sending/dialogs.ts";
import { contractAt, indexOf } from "./known-contracts.ts";
import { type ContractContext, type ContractServices, contextOn } from "./services.ts";

/** Result of a call or a deployment. */
export interface CallResult {
  readonly txId: string;
  /** `SUCCESS`, `REVERT` and so on, from the receipt. */
  readonly result: string;
  /** Set if it is solidified. */
  readonly isSolid: boolean;
  /** Returned values, the revert reason, or the failure that a token returned. */
  readonly sentence: string;
  readonly events: readonly string[];
  /** Fee in sun, and energy. */
  readonly fee: string;
  readonly energy: string;
}

/**
 * Shows the page of a transaction in a block, which has its result. Returns the result to a program: returned values or
 * the failure, and events.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if it is not tracked, or not in a block yet
 */
export async function showResult(
  services: ContractServices,
  fields: { readonly txId?: string },
  isProgram: boolean,
): Promise<CallResult | undefined> {
  const tracked = await trackedFor(services, fields.txId);
  if (tracked === undefined) return undefined;
  if (!isProgram) {
    const argument = ownClick({ kind: "result", txId: tracked.txId, section: "result" });
    await vscode.commands.executeCommand("finality.showTimeline", argument);
    return undefined;
  }
  const context = await contextOn(services, services.transactions.networkOf(tracked));
  const { info, run, isSolid } = await whileWorking(t`Reading the result`, (signal) =>
    readRun(tracked, context, signal),
  );
  const called = run.contract ?? info.contractAddress;
  const own = called === undefined ? undefined : await contractAt(context, called).catch(errorMeansNone);
  const index = await indexOf(services.artifacts);
  const abi = own === undefined ? index : joinAbiIndexes(own.abi, index);
  return resultOf({ run, info, abi, nameOf: context.nameOf }, isSolid);
}

/** Without the ABI only names are missing. */
function errorMeansNone(error: unknown): undefined {
  if (!isChainError(error)) throw error;
}

async function trackedFor(
  services: ContractServices,
  txId: string | undefined,
): Promise<TrackedTransaction | undefined> {
  const { transactions, keys } = services;
  const nameOf: NameOf = (address) => keys.nameOf(address);
  const fits = ({ state }: TrackedTransaction) => state.kind === "included" || state.kind === "solidified";
  return await chooseTransaction(transactions, defined({ txId }), {
    title: t`Show Result`,
    fits,
    forWhat: t`transactions that are in a block`,
    nameOf,
  });
}

/** Returns the executed code. */
type Run = FailedRun & { readonly data?: Hex };

/** @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` if it is not in a block yet */
async function readRun(tracked: TrackedTransaction, { gateway }: ContractContext, signal: AbortSignal) {
  const solid = await gateway.solidTransactionInfo(tracked.txId, signal);
  const info = solid ?? (await gateway.headTransactionInfo(tracked.txId, signal));
  if (info === undefined) throw malformed(t`this transaction is in no block yet; wait for the next one`);
  return { info, isSolid: solid !== undefined, run: await runIn(tracked, info, gateway, signal) };
}

/** Reads the call from the bytes if the transaction was not created here. */
async function runIn(
  { txId, signed }: TrackedTransaction,
  info: TransactionInfo,
  gateway: ContractContext["gateway"],
  signal: AbortSignal,
): Promise<Run> {
  const intent = signed?.intent;
  if (intent?.kind === "contract-call") return { ...runOf(intent), data: intent.data };
  if (intent !== undefined || info.contractAddress === undefined) return runOf(intent);
  const found = (await gateway.solidTransaction(txId, signal)) ?? (await gateway.headTransaction(txId, signal));
  return (found && callInBytes(txId, hexToBytes(found.rawDataHex))) ?? {};
}

interface Ending {
  readonly run: Run;
  readonly info: TransactionInfo;
  readonly abi: AbiIndex;
  readonly nameOf: NameOf;
}

function resultOf(ending: Ending, isSolid: boolean): CallResult {
  const { info, abi } = ending;
  return {
    txId: info.txId,
    result: info.receiptResult ?? resultNameOf(outcomeOf(ending)),
    isSolid,
    sentence: messageOf(ending),
    events: (info.logs ?? []).map((log) => eventText(log, abi)),
    fee: info.fee.toString(),
    energy: info.energyUsed.toString(),
  };
}

function outcomeOf({ run, info }: Ending): ExecutionOutcome | undefined {
  const isSystemContract = (run.contract ?? info.contractAddress) === undefined;
  return outcomeInInfo(info, isSystemContract ? "TransferContract" : "TriggerSmartContract");
}

function resultNameOf(outcome: ExecutionOutcome | undefined): string {
  if (outcome === undefined) return "DEFAULT";
  return outcome.kind === "success" ? "SUCCESS" : outcome.result;
}

function messageOf(ending: Ending): string {
  const { run, info, abi, nameOf } = ending;
  const { contractResult, message } = info;
  const outcome = outcomeOf(ending);
  if (outcome === undefined) return t`The node does not report the outcome yet. Try again later.`;
  if (outcome.kind === "failed") {
    if (outcome.result === "REVERT") {
      const { title, fix } = revertTexts(hexToBytes(contractResult), { abi }, run.contract);
      return t`${withoutStop(title)}. ${fix}`;
    }
    const reason = failureReason(outcome, run, { abi, nameOf });
    return reason === undefined
      ? message || outcome.result
      : t`${withoutStop(visibleLine(reason.text))}. ${reason.detail ?? ""}`;
  }
  if (run.data === undefined || run.contract === undefined) return t`Done.`;
  if (returnedFalse(run.data, contractResult)) return t`${falseReturn.title}. ${falseReturn.cause}`;
  return returnedText(run.data, contractResult, abi, run.contract);
}

function returnedText(data: Hex, returned: Hex, abi: AbiIndex, contract: string): string {
  const candidates = abi.lookup(data.slice(0, 8), contract).filter(({ kind }) => kind === "function");
  for (const { outputs, name } of candidates) {
    const values = tryDecode(outputs, hexToBytes(returned));
    if (values !== undefined && outputs.length > 0) return t`${name} returned ${argumentList(outputs, values)}.`;
  }
  return returned === "" ? t`Done; nothing was returned.` : t`Done; returned 0x${returned}.`;
}

function malformed(reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "txId", reason });
}
