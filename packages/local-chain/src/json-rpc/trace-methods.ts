import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import type { Trace, TraceOptions } from "@finality/tron/traces";
import type { NodeView } from "../node/node-view.ts";
import { requestedCall, requestedId, type TraceRequest } from "../traces/trace-requests.ts";
import { traceCall, traceTransaction } from "../traces/trace-runs.ts";
import { invalidParams } from "./rpc-values.ts";
import { callTree, eip3155, stateBefore, stateChanges, structLogs } from "./trace-shapes.ts";

/** Options of the record, and its printed form. */
interface Tracer {
  readonly options: TraceOptions;
  print(trace: Trace): Json;
}

type TracerFactory = (config: JsonObject, tracerConfig: JsonObject) => Tracer;

const tracers: { readonly [name: string]: TracerFactory } = {
  structLogs: (config) => {
    const memory = config.enableMemory === true || config.disableMemory === false;
    const shown = { stack: config.disableStack !== true, memory, storage: config.disableStorage !== true };
    const limit = typeof config.limit === "number" && config.limit > 0 ? { maxSteps: config.limit } : {};
    return { options: { steps: true, stack: true, memory, ...limit }, print: (trace) => structLogs(trace, shown) };
  },
  callTracer: (_config, { withLog, onlyTopCall }) => ({
    options: {},
    print: (trace) => callTree(trace, { withLog: withLog === true, onlyTopCall: onlyTopCall === true }),
  }),
  prestateTracer: (_config, { diffMode }) => ({
    options: {},
    print: diffMode === true ? stateChanges : stateBefore,
  }),
  eip3155: () => ({ options: { steps: true, stack: true, memory: true }, print: eip3155 }),
};

/** Methods that print traces as other development nodes do. */
export const debugRequests: { readonly [name: string]: TraceRequest } = {
  debug_traceTransaction: ([id, config], { chain }) => {
    const tracer = tracerOf(config);
    return tracer.print(traceTransaction(chain, requestedId(id), tracer.options));
  },
  debug_traceCall: ([call, block, config], view) => {
    checkNewest(view, block);
    const tracer = tracerOf(config);
    return tracer.print(traceCall(view, requestedCall(ethereumCall(view, call)), tracer.options));
  },
};

const MOST_NAME = 40;

/** @throws {RpcError} there is no such tracer */
function tracerOf(config: Json | undefined): Tracer {
  const options = isJsonObject(config) ? config : {};
  const { tracer: name = "structLogs", tracerConfig } = options;
  const create = typeof name === "string" && Object.hasOwn(tracers, name) ? tracers[name] : undefined;
  if (create === undefined) {
    const known = Object.keys(tracers).filter((it) => it !== "structLogs");
    throw invalidParams(`there is no tracer ${String(name).slice(0, MOST_NAME)}; there are ${known.join(", ")}`);
  }
  return create(options, isJsonObject(tracerConfig) ? tracerConfig : {});
}

/** @throws {RpcError} only the newest state can be traced */
function checkNewest({ newest }: NodeView, block: Json | undefined): void {
  const isNewest =
    block === undefined ||
    block === null ||
    block === "latest" ||
    block === "pending" ||
    (typeof block === "string" && /^0x[\da-f]+$/i.test(block) && Number(block) === newest.header.number);
  if (!isNewest) throw invalidParams("a call can be traced on the newest block only");
}

const ZERO_ADDRESS = `0x${"00".repeat(20)}`;

/** Returns a call object of other nodes in the form of this chain. Gas is energy. */
function ethereumCall({ chain }: NodeView, call: Json | undefined): Json {
  if (!isJsonObject(call)) throw invalidParams("the call has to be an object");
  const { from, to, value, gas, data, input } = call;
  if (gas !== undefined && gas !== null && !/^(?:\d+|0x[\da-f]+)$/i.test(String(gas)))
    throw invalidParams("gas has to be a number");
  const price = chain.parameters.getEnergyFee;
  const fields: JsonObject = {
    from: from ?? ZERO_ADDRESS,
    to: to ?? undefined,
    value: value ?? undefined,
    data: input ?? data ?? undefined,
    feeLimit: gas === undefined || gas === null ? undefined : String(BigInt(String(gas)) * BigInt(price)),
  };
  return fields;
}
