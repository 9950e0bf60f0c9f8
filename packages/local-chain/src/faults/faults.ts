import { isJsonObject, type Json, type JsonObject } from "@finality/tron/primitives";
import type { Halt } from "../chain/halt.ts";
import type { ServerAction } from "../http/message.ts";
import type { NodeView } from "../node/node-view.ts";
import { type Effect, type FaultServices, type FaultType, faultFields, type Serve, Trigger } from "./fault.ts";
import { faultTypes } from "./fault-types.ts";

/** Active faults, in their order: the first is farthest from the node. */
export class Faults {
  readonly #services: FaultServices;
  #active: readonly ActiveFault[] = [];
  #seed = "";
  #closedMs = 0;

  constructor(services: FaultServices) {
    this.#services = services;
    services.chain.production.setHooks({
      holdsSolidification: () => this.#holdsSolidification(),
      mayEndCode: () => this.#active.some(({ effect }) => effect.stage === "execution"),
      endsCode: () => this.#endOfCode(),
    });
  }

  /** Replaces the active faults. @throws {TypeError} */
  replace(list: Json | undefined, seed = ""): void {
    this.#active = readFaults(list, seed);
    this.#seed = seed;
    for (const it of this.#active) if (!("path" in it.fields)) this.#closeListener(it);
  }

  report(): Json {
    const faults = this.#active.map(({ type, fields, trigger }) => ({
      name: type.name,
      ...fields,
      hits: trigger.hits,
    }));
    return { seed: this.#seed, faults };
  }

  /** Serves a request through its faults. */
  async answer(path: string, serve: Serve): Promise<ServerAction> {
    const faults = this.#concerning(path);
    if (faults.length === 0) return await serve();
    const context = faults.reduceRight<Serve>((next, it) => () => this.#context(it, next), serve);
    const answer = await context();
    for (const it of faults) this.#closeListener(it);
    return answer;
  }

  /** Returns the view that the faults leave for a request. */
  view(view: NodeView, path: string): NodeView {
    return this.#concerning(path).reduceRight((inner, it) => changedView(inner, it, path), view);
  }

  /** Returns how long the listener has to be closed after a response, in ms; 0 for not at all. */
  takeListenerPause(): number {
    const ms = this.#closedMs;
    this.#closedMs = 0;
    return ms;
  }

  #concerning(path: string): readonly ActiveFault[] {
    return this.#active.filter(({ type, trigger }) => (type.concerns?.(path) ?? true) && trigger.matches(path));
  }

  async #context({ effect, trigger }: ActiveFault, next: Serve): Promise<ServerAction> {
    if (effect.stage !== "request" || !trigger.fires()) return await next();
    return await effect.act(next, this.#services);
  }

  #closeListener({ effect, trigger }: ActiveFault): void {
    if (effect.stage === "listener" && trigger.fires()) this.#closedMs = effect.ms;
  }

  #endOfCode(): Halt | undefined {
    for (const { effect, trigger } of this.#active) {
      if (effect.stage === "execution" && trigger.fires()) return effect.halt;
    }
    return undefined;
  }

  #holdsSolidification(): boolean {
    return this.#active.some(({ effect, trigger }) => effect.stage === "solidification" && trigger.fires());
  }
}

function changedView(view: NodeView, { effect, trigger }: ActiveFault, path: string): NodeView {
  if (effect.stage === "view") return trigger.fires() ? effect.act(view, path) : view;
  if (effect.stage !== "admission") return view;
  return {
    ...view,
    submit: (transaction) => {
      effect.act(transaction, () => trigger.fires(), view);
      return view.submit(transaction);
    },
  };
}

const MAX_FAULTS = 100;
const MAX_COUNT = 1_000_000_000;

/** An active fault. */
interface ActiveFault {
  readonly type: FaultType;
  readonly effect: Effect;
  readonly trigger: Trigger;
  /** Fields with defaults, for the report. */
  readonly fields: JsonObject;
}

/**
 * Reads a list of faults.
 *
 * @param seed - prefix of the seed of each fault
 * @throws {TypeError} it is no list, or one of them is not known or does not fit
 */
function readFaults(list: Json | undefined, seed: string): readonly ActiveFault[] {
  if (!Array.isArray(list))
    throw new TypeError('The body has to be a list of faults, such as [{"name":"lost-answer"}].');
  if (list.length > MAX_FAULTS) throw new TypeError(`There can be ${MAX_FAULTS} faults at once.`);
  return list.map((it, index) => readFault(it, `${seed} ${index}`));
}

function readFault(json: Json, seed: string): ActiveFault {
  if (!isJsonObject(json)) throw new TypeError("A fault has to be a JSON object with a name.");
  const type = faultTypes.find(({ name }) => name === json.name);
  if (type === undefined) {
    const names = faultTypes.map(({ name }) => name).join(", ");
    throw new TypeError(`There is no fault ${JSON.stringify(json.name ?? null)}. There are: ${names}.`);
  }
  const fields = faultFields(type.name, json);
  const effect = type.read(fields);
  const rate = fields.share("rate", 1);
  const count = readCount(json, type, fields.integer);
  const paths = actsOnBlocks(effect) ? undefined : fields.texts("path");
  fields.finish();
  return { type, effect, trigger: new Trigger({ rate, count, paths, seed }), fields: fields.values };
}

/** Returns whether a fault acts on blocks, independent of paths. */
function actsOnBlocks({ stage }: Effect): boolean {
  return stage === "solidification" || stage === "execution";
}

function readCount(
  json: JsonObject,
  type: FaultType,
  integer: ReturnType<typeof faultFields>["integer"],
): number | undefined {
  if (json.count === undefined && type.count === undefined) return undefined;
  return integer("count", { min: 1, max: MAX_COUNT, ...(type.count !== undefined && { or: type.count }) });
}
