import { t } from "@vscode/l10n";
import { statusOf, statusOfPhrase } from "../../node-messages/http-failure.ts";
import { stripHexPrefix } from "../../primitives/bytes.ts";
import { isJsonObject, type JsonObject } from "../../primitives/json.ts";
import { entryOf } from "../catalogue/catalogue.ts";
import { bytesOf, objectOf, textOf } from "../decode/json.ts";
import { MESSAGE, matchNodeText } from "../decode/message-text.ts";
import type { ExplainContext } from "../result/explanation.ts";
import { verdictOf } from "../result/retry-verdict.ts";
import { fieldsOfJson } from "../words/fields.ts";
import { clip, type Finding, field, findingOf, plainFinding, retryOfRequest } from "../words/finding.ts";
import { explainStatus } from "../words/http-words.ts";
import { revertWords } from "../words/revert-words.ts";
import { explainVmFailure, resultInMessage } from "../words/vm-words.ts";

/** Explains an error of JSON-RPC: `{"error":{"code":-32000,"message":"…","data":"0x…"}}`. */
export function explainRpcError(json: JsonObject, context: ExplainContext): Finding | undefined {
  const error = json.error ?? (isBareError(json) ? json : undefined);
  if (!isJsonObject(error) || typeof error.code !== "number" || typeof error.message !== "string") return undefined;
  const data = bytesOf(error.data) ?? bytesOf(textOf(objectOf(error.data).data));
  const details = { decoded: [...field("code", error.code, "number"), ...field(MESSAGE, error.message)] };
  const code = `RPC_${error.code}`;
  if (
    (data !== undefined && data.length > 0) ||
    /execution reverted|REVERT opcode/i.test(error.message.slice(0, 200))
  ) {
    const words = revertWords(data ?? new Uint8Array(), context);
    const decoded = [...field(t`error`, words.code), ...words.decoded, ...details.decoded];
    const shared = { category: "execution", retry: verdictOf("request-after-fix") } as const;
    return plainFinding("REVERT", words, { ...words, ...shared, code: "REVERT", decoded });
  }
  if (error.code === USER_REJECTED) {
    return findingOf(entryOf("tool-declined"), {}, { code: "DECLINED", ...details });
  }
  const found = matchNodeText(error.message);
  if (found?.entry.category === "execution") {
    const result = resultInMessage(error.message) ?? code;
    return explainVmFailure(result, error.message, { code: result, ...details, retry: verdictOf("request-after-fix") });
  }
  if (found !== undefined) {
    const retry = retryOfRequest(found.entry, error.message);
    return { ...findingOf(found.entry, found.captures, { code, ...details }), retry };
  }
  const status = statusOf(error) ?? statusOfPhrase(error.message);
  if (status !== undefined && status !== 500) return explainStatus(status, error.message);
  if (error.code === -32603) return { ...explainStatus(500, error.message), code, entry: "rpc-internal" };
  const number = TOO_MANY.test(error.message.slice(0, 300)) ? -32005 : error.code;
  const { title, fix, entry } = requestWords.find((one) => one.code === number) ?? refused;
  return plainFinding(
    code,
    { title, cause: t`The node says: ${clip(error.message)}`, fix },
    { ...details, category: "validation", entry, retry: verdictOf("request-after-fix") },
  );
}

/** What wallets answer when the person says no (EIP-1193). */
const USER_REJECTED = 4001;

/** An error that was taken out of its answer: the numbers of JSON-RPC are below -32000. */
function isBareError({ code, message, data }: JsonObject): boolean {
  const hasData = (bytesOf(data)?.length ?? 0) > 0;
  return (
    typeof code === "number" &&
    ((code <= -32_000 && code > -33_000) || code === USER_REJECTED) &&
    typeof message === "string" &&
    !hasData
  );
}

/** What nodes say of queries over too many blocks, mostly under the number of any error. */
const TOO_MANY =
  /block range|range (?:is )?(?:too|limit)|returned more than|too many (?:blocks|results|logs)|limited to \d/i;

/**
 * Explains the receipt that JSON-RPC gives: `status` is 0x0 when the execution failed, and nothing in it tells why.
 */
export function explainRpcReceipt({ status, transactionHash, ...receipt }: JsonObject): Finding | undefined {
  const txId = textOf(transactionHash);
  if (txId === undefined || !("blockHash" in receipt || "gasUsed" in receipt || "logs" in receipt)) return undefined;
  const isFailed = status === "0x0" || status === 0 || status === false || status === "reverted";
  if (!isFailed) return undefined;
  return plainFinding("FAILED", entryWords("vm-call-failed"), {
    category: "execution",
    entry: "vm-call-failed",
    retry: verdictOf("executed"),
    decoded: [...field("txID", stripHexPrefix(txId), "tx-id"), ...fieldsOfJson(receipt)],
    sources: ["the words of JSON-RPC"],
  });
}

function entryWords(id: string): Pick<Finding, "title" | "cause" | "fix"> {
  const { title, cause, fix } = entryOf(id);
  return { title, cause, fix };
}

const CORRECT = t`Correct the method and its parameters.`;
const refused = { entry: "rpc-error", title: t`The JSON-RPC request was refused`, fix: CORRECT };

/** What the standard of JSON-RPC, and custom on chains, say with numbers. */
const requestWords = [
  { code: -32700, entry: "rpc-syntax", title: t`The JSON-RPC request is not JSON`, fix: t`Send one object as JSON.` },
  { code: -32600, entry: "rpc-request", title: t`This is no JSON-RPC request`, fix: CORRECT },
  {
    code: -32601,
    entry: "rpc-method",
    title: t`The node has no such JSON-RPC method`,
    fix: t`Its JSON-RPC neither signs nor sends: use broadcasttransaction of the HTTP interface.`,
  },
  { code: -32602, entry: "rpc-parameters", title: t`The parameters of the request are not valid`, fix: CORRECT },
  {
    code: -32005,
    entry: "rpc-too-many",
    title: t`The answer would be too large`,
    fix: t`Ask for fewer blocks or fewer topics at once.`,
  },
] as const;
