import { isJsonObject, type JsonObject, toBase58 } from "@finality/tron/primitives";
import { addressField, coinsField, countField, listField, objectField } from "../fields.ts";
import type { AgentPorts, LocalControl } from "../ports.ts";
import { type AgentTool, defineTool } from "../tool.ts";
import { untrusted } from "../untrusted.ts";

const EFFECT = "changes the embedded chain";
const SECOND_MS = 1_000;
/** Longest time to warp, seconds: one year. */
const LONGEST_WARP = 31_536_000;

/** Fields of the status without the accounts, whose private keys it has. */
const STATUS = ["height", "solidHeight", "pending", "blockTime", "faults"] as const;

async function control(ports: AgentPorts, name: LocalControl, body?: JsonObject): Promise<JsonObject> {
  const answer = await ports.control(name, body);
  return typeof answer.error === "string" ? { done: false, reason: untrusted(answer.error) } : answer;
}

/** Returns the heights of an answer of the chain. */
function heightsIn(answer: JsonObject): JsonObject {
  if (answer.done === false) return answer;
  const numberOf = (part: string): number | undefined => {
    const block = answer[part];
    return isJsonObject(block) && typeof block.number === "number" ? block.number : undefined;
  };
  return { done: true, head: numberOf("head"), solid: numberOf("solid") };
}

/** Returns the active faults by name and number of hits. */
function faultsIn({ faults, ...answer }: JsonObject): JsonObject {
  if (answer.done === false) return answer;
  const list = Array.isArray(faults) ? faults.filter(isJsonObject) : [];
  return { done: true, faults: list.slice(0, 50).map(({ name, hits }) => ({ name: untrusted(String(name)), hits })) };
}

export const localChainTools: readonly AgentTool[] = [
  defineTool({
    name: "finality_local_status",
    title: "Status of the Local Chain",
    description: "Reads heights, pool and active faults of the embedded chain on this computer.",
    effect: "reads",
    required: {},
    optional: {},
    run: async (_values, ports) => {
      const status = await control(ports, "status");
      const { faults, ...rest } = Object.fromEntries(STATUS.map((it) => [it, status[it]]));
      return { ...rest, ...faultsIn(isJsonObject(faults) ? faults : {}) };
    },
  }),
  defineTool({
    name: "finality_local_mine",
    title: "Mine Blocks on the Local Chain",
    description: "Creates blocks on the embedded chain. 19 more blocks or so make earlier ones final.",
    effect: EFFECT,
    required: {},
    optional: { blocks: countField("number of blocks, 1 if absent", 1, 1_000) },
    run: async ({ blocks = 1 }, ports) => heightsIn(await control(ports, "mine", { blocks })),
  }),
  defineTool({
    name: "finality_local_warp",
    title: "Warp the Local Chain",
    description: "Moves the time of the embedded chain ahead and creates a block there.",
    effect: EFFECT,
    required: { seconds: countField("seconds", 1, LONGEST_WARP) },
    optional: {},
    run: async ({ seconds }, ports) => heightsIn(await control(ports, "warp", { ms: seconds * SECOND_MS })),
  }),
  defineTool({
    name: "finality_local_faults",
    title: "Faults of the Local Chain",
    description:
      'Replaces the faults that the embedded chain simulates, such as [{"name":"lost-answer","count":1}]; [] for none. docs/local-chain.md lists them.',
    effect: EFFECT,
    required: { faults: listField("faults", objectField("a fault: its name and its fields"), 20) },
    optional: {},
    run: async ({ faults }, ports) => faultsIn(await control(ports, "faults", { faults })),
  }),
  defineTool({
    name: "finality_local_fund",
    title: "Fund an Account of the Local Chain",
    description: "Gives coins of the embedded chain's faucet to an address. They are worth nothing elsewhere.",
    effect: EFFECT,
    required: { address: addressField("account to fund"), amount: coinsField("amount") },
    optional: {},
    run: async ({ address, amount }, ports) => {
      const answer = await control(ports, "fund", { address: toBase58(address), amount: String(amount) });
      return answer.done === false ? answer : { done: true, txId: untrusted(String(answer.txID)) };
    },
  }),
];
