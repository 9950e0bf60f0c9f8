import { type AbiIndex, joinAbiIndexes } from "../../core/abi/abi-index.ts";
import { tryDecode } from "../../core/abi/revert-data.ts";
import { ChainError } from "../../core/errors/chain-error.ts";
import { falseReturn } from "../../core/explain/answers/call-success.ts";
import { eventText } from "../../core/explain/words/event-text.ts";
import { argumentList } from "../../core/explain/words/fields.ts";
import { revertWords } from "../../core/explain/words/revert-words.ts";
import type { TransactionInfo } from "../../core/gateway/gateway.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { sun } from "../../core/primitives/amount.ts";
import { type Hex, hexToBytes, parseTxId } from "../../core/primitives/bytes.ts";
import { visibleLine } from "../../core/primitives/plain-text.ts";
import { returnedFalse } from "../../core/tokens/trc20.ts";
import { askModal } from "../../host/prompts/notify.ts";
import { quickPick } from "../../host/prompts/quick-input.ts";
import { formatCoins } from "../../words/forms/coins.ts";
import { grouped } from "../../words/forms/numbers.ts";
import { contractAt, indexOf } from "./known-contracts.ts";
import { type ContractServices, placeOn } from "./services.ts";

/** What a call or a deployment did. */
export interface CallResult {
  readonly txId: string;
  /** `SUCCESS`, `REVERT`, …: of the receipt. */
  readonly result: string;
  /** Whether no reorganisation can change it any more. */
  readonly isSolid: boolean;
  /** What it says: returned values, the reason of a revert, or that a token refused. */
  readonly sentence: string;
  readonly events: readonly string[];
  /** sun, and energy. */
  readonly fee: string;
  readonly energy: string;
}

/**
 * Shows what a call did: what it gave back or why it failed, and its events.
 *
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` it is not tracked, or no block has it yet
 */
export async function showResult(
  services: ContractServices,
  fields: { readonly txId?: string },
  isProgram: boolean,
): Promise<CallResult | undefined> {
  const tracked = await trackedFor(services, fields.txId);
  if (tracked === undefined) return undefined;
  const place = await placeOn(services, tracked.network);
  const solid = await place.gateway.solidTransactionInfo(tracked.txId);
  const info = solid ?? (await place.gateway.headTransactionInfo(tracked.txId));
  if (info === undefined) throw malformed("no block has this transaction yet; wait for the next one");
  const intent = tracked.signed?.intent;
  const called = intent?.kind === "contract-call" ? intent.contract : info.contractAddress;
  const own = called === undefined ? undefined : await contractAt(place, called).catch(() => undefined);
  const index = await indexOf(services.artifacts);
  const abi = own === undefined ? index : joinAbiIndexes(own.abi, index);
  const result = resultOf(tracked, info, abi, solid !== undefined);
  if (!isProgram) await show(result);
  return result;
}

async function trackedFor(
  services: ContractServices,
  text: string | undefined,
): Promise<TrackedTransaction | undefined> {
  await services.transactions.ready();
  const txId = parseTxId(text?.trim() ?? "");
  const tracked = txId === undefined ? undefined : services.transactions.get(txId);
  if (tracked !== undefined) return tracked;
  if (text !== undefined) throw malformed("it is not the txID of a tracked transaction");
  const items = services.transactions.list().flatMap((it) => {
    const kind = it.signed?.intent.kind;
    if (kind !== "contract-call" && kind !== "contract-creation") return [];
    return [{ label: it.label ?? kind, description: it.state.kind, detail: it.txId, tracked: it }];
  });
  return (await quickPick(items, { title: "Show Result", matchOnDetail: true }))?.tracked;
}

function resultOf(tracked: TrackedTransaction, info: TransactionInfo, abi: AbiIndex, isSolid: boolean): CallResult {
  const receipt = info.receiptResult ?? (info.failed ? "FAILED" : "SUCCESS");
  return {
    txId: tracked.txId,
    result: receipt,
    isSolid,
    sentence: sentenceOf(tracked, info, abi),
    events: (info.logs ?? []).map((log) => eventText(log, abi)),
    fee: info.fee.toString(),
    energy: info.energyUsed.toString(),
  };
}

function sentenceOf(
  { signed }: TrackedTransaction,
  { receiptResult, contractResult, message }: TransactionInfo,
  abi: AbiIndex,
): string {
  const intent = signed?.intent;
  if (receiptResult === "REVERT") {
    const contract = intent?.kind === "contract-call" ? intent.contract : undefined;
    const { title, fix } = revertWords(hexToBytes(contractResult), { abi }, contract);
    return `${title}. ${fix}`;
  }
  if (receiptResult !== undefined && receiptResult !== "SUCCESS") return message || receiptResult;
  if (intent?.kind !== "contract-call") return "Done.";
  if (returnedFalse(intent.data, contractResult)) return `${falseReturn.title}. ${falseReturn.cause}`;
  return returnedText(intent.data, contractResult, abi, intent.contract);
}

function returnedText(data: Hex, returned: Hex, abi: AbiIndex, contract: string): string {
  const candidates = abi.lookup(data.slice(0, 8), contract).filter(({ kind }) => kind === "function");
  for (const { outputs, name } of candidates) {
    const values = tryDecode(outputs, hexToBytes(returned));
    if (values !== undefined && outputs.length > 0) return `${name} returned ${argumentList(outputs, values)}.`;
  }
  return returned === "" ? "Done; nothing was returned." : `Done; returned 0x${returned}.`;
}

const LONG = 1_000;
const MOST_EVENTS = 30;

async function show(result: CallResult): Promise<void> {
  const left = result.events.length - MOST_EVENTS;
  const more = left > 0 ? [`… and ${left} more`] : [];
  const lines = [
    visibleLine(result.sentence, LONG),
    ...(result.events.length === 0
      ? []
      : ["", "Events:", ...result.events.slice(0, MOST_EVENTS).map((it) => visibleLine(it)), ...more]),
    "",
    `Energy ${grouped(BigInt(result.energy))}, fee ${formatCoins(sun(BigInt(result.fee)))} coins${result.isSolid ? "" : "; not solidified yet"}`,
  ];
  await askModal("information", { title: result.result, detail: lines.join("\n") });
}

function malformed(reason: string): ChainError {
  return new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "txId", reason });
}
