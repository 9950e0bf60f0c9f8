import { type AnyChainError, isChainError } from "@finality/tron/errors";
import { isJsonObject, type Json, type JsonObject, printJson } from "@finality/tron/primitives";
import { ReadError } from "@finality/tron/read";
import { type Fields, inputSchema, readArguments, type ValuesOf } from "./fields.ts";
import type { AgentPorts } from "./ports.ts";
import { UNTRUSTED_NOTE, untrusted } from "./untrusted.ts";

/** Effect of a tool. No tool has another one. */
type ToolEffect = "reads" | "changes the embedded chain" | "proposes";

/** Caller of a tool: the name that the agent calls itself, which is a claim. */
export interface Caller {
  readonly agent: string;
}

/** Tool as both the MCP server and the editor offer it. */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  /** Description for the model. */
  readonly description: string;
  readonly effect: ToolEffect;
  readonly inputSchema: JsonObject;
  run(input: unknown, ports: AgentPorts, caller: Caller): Promise<JsonObject>;
}

interface Definition<R extends Fields, O extends Fields> extends Omit<AgentTool, "inputSchema" | "run"> {
  readonly required: R;
  readonly optional: O;
  readonly run: (values: ValuesOf<R, O>, ports: AgentPorts, caller: Caller) => Promise<JsonObject>;
}

/** Returns a tool whose arguments are parsed by the fields of its schema. */
export function defineTool<R extends Fields, O extends Fields>(definition: Definition<R, O>): AgentTool {
  const { required, optional, run, ...described } = definition;
  return {
    ...described,
    inputSchema: inputSchema(required, optional),
    run: async (input, ports, caller) => await run(readArguments(required, optional, input), ports, caller),
  };
}

/** Failure of a tool for the model. The cause can contain text of a node, so it is marked. */
interface ToolError {
  readonly code: string;
  readonly cause: JsonObject;
  readonly next: string;
}

/** Result of a tool call. */
export type ToolResult =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly error: ToolError };

/** Largest result, in characters of JSON. */
export const LARGEST_RESULT = 60_000;

/** Calls a tool. A failure is a value, and a result has a bounded size. */
export async function callTool(
  tool: AgentTool,
  input: unknown,
  ports: AgentPorts,
  caller: Caller,
): Promise<ToolResult> {
  try {
    const result = await tool.run(input ?? {}, ports, caller);
    if (printJson(result).length <= LARGEST_RESULT) return { ok: true, result };
    const next = "Request less: a smaller limit, or a single item.";
    return failure("RESULT_TOO_LARGE", "The result is too large for one answer.", next);
  } catch (thrown) {
    return { ok: false, error: errorOf(thrown) };
  }
}

/** Returns the text of a result for a model: JSON, with a note if text of others is in it. */
export function resultText(result: ToolResult): string {
  const content: JsonObject = result.ok ? { ok: true, ...result.result } : { ok: false, error: { ...result.error } };
  const note = hasUntrusted(content) ? { note: UNTRUSTED_NOTE } : {};
  return printJson({ ...note, ...content }, 1);
}

function hasUntrusted(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasUntrusted);
  if (!isJsonObject(value)) return false;
  return "untrusted" in value || Object.values(value).some(hasUntrusted);
}

function failure(code: string, cause: string, next: string): ToolResult {
  return { ok: false, error: { code, cause: untrusted(cause), next } };
}

/** Returns an error for the model. The message of an unexpected error can name a path or a value, so it stays here. */
function errorOf(thrown: unknown): ToolError {
  if (thrown instanceof ReadError) {
    const next = "Correct the argument. The schema of the tool describes it.";
    return { code: "ARGUMENT_MALFORMED", cause: untrusted(`${thrown.path} must be ${thrown.expected}.`), next };
  }
  if (isChainError(thrown)) return { code: thrown.code, cause: untrusted(thrown.message), next: nextStepOf(thrown) };
  if (hasNextStep(thrown)) return { code: thrown.code, cause: untrusted(thrown.message), next: thrown.next };
  return { code: "INTERNAL", cause: untrusted("The tool failed."), next: "Report it to the user." };
}

/** Returns true for the errors of the command line and of proposals, which have a next step of their own. */
function hasNextStep(thrown: unknown): thrown is Error & { readonly code: string; readonly next: string } {
  if (!(thrown instanceof Error) || !("code" in thrown) || !("next" in thrown)) return false;
  return typeof thrown.code === "string" && typeof thrown.next === "string";
}

function nextStepOf({ code }: AnyChainError): string {
  if (code.startsWith("GATEWAY_")) return "Try again later. If it fails again, ask the user to test the connection.";
  if (code.startsWith("LOCAL_CHAIN_")) return "Ask the user to start the local chain.";
  if (code.startsWith("NETWORK_")) return "Use a name of finality_networks.";
  if (/MALFORMED|MISMATCH|UNKNOWN$/.test(code)) return "Correct the arguments of the call.";
  return "Explain the cause to the user.";
}
