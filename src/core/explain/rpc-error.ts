import { isJsonObject, type JsonObject } from "../primitives/json.ts";
import type { ExplainContext } from "./explanation.ts";
import { clip, type Finding, field, plainFinding } from "./finding.ts";
import { bytesOf, objectOf, textOf } from "./json-fields.ts";
import { matchNodeText } from "./message-text.ts";
import { verdictOf } from "./retry-verdict.ts";
import { revertWords } from "./revert-finding.ts";
import { explainVmFailure } from "./vm-failure.ts";

/** Explains an error of JSON-RPC: `{"error":{"code":-32000,"message":"…","data":"0x…"}}`. */
export function explainRpcError({ error }: JsonObject, context: ExplainContext): Finding | undefined {
  if (!isJsonObject(error) || typeof error.code !== "number" || typeof error.message !== "string") return undefined;
  const data = bytesOf(error.data) ?? bytesOf(textOf(objectOf(error.data).data));
  const details = { decoded: [...field("code", error.code, "number"), ...field("message", error.message)] };
  const code = `RPC_${error.code}`;
  if (data !== undefined || /execution reverted|REVERT opcode/i.test(error.message.slice(0, 200))) {
    const words = revertWords(data ?? new Uint8Array(), context);
    const decoded = [...field("error", words.code), ...words.decoded, ...details.decoded];
    const shared = { category: "execution", retry: verdictOf("request-after-fix") } as const;
    return plainFinding("REVERT", words, { ...words, ...shared, code: "REVERT", decoded });
  }
  if (matchNodeText(error.message)?.entry.category === "execution") {
    return explainVmFailure(code, error.message, { code, ...details, retry: verdictOf("request-after-fix") });
  }
  const words = {
    title: "The JSON-RPC request was refused",
    cause: `The node says: ${clip(error.message)}`,
    fix: "Correct the method and its parameters.",
  };
  return plainFinding(code, words, {
    ...details,
    category: "validation",
    entry: "rpc-error",
    retry: verdictOf("request-after-fix"),
  });
}
