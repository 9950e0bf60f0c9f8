import { isJsonObject, type Json, type JsonObject } from "../../core/primitives/json.ts";
import { type Effect, type FaultType, faultFields } from "./fault.ts";
import { faultTypes } from "./fault-types.ts";
import { Trigger } from "./trigger.ts";

const MAX_FAULTS = 100;
const MAX_COUNT = 1_000_000_000;

/** A fault that is on. */
export interface ActiveFault {
  readonly type: FaultType;
  readonly effect: Effect;
  readonly trigger: Trigger;
  /** Its fields with their defaults, as they are shown. */
  readonly fields: JsonObject;
}

/**
 * Reads a list of faults.
 *
 * @param seed - what the draws of all of them begin with
 * @throws {TypeError} it is no list, or one of them is not known or does not fit
 */
export function readFaults(list: Json | undefined, seed: string): readonly ActiveFault[] {
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
  const paths = ofBlocks(effect) ? undefined : fields.texts("path");
  fields.finish();
  return { type, effect, trigger: new Trigger({ rate, count, paths, seed }), fields: fields.values };
}

/** What happens in blocks happens whoever asks. */
function ofBlocks({ seam }: Effect): boolean {
  return seam === "solidification" || seam === "execution";
}

function readCount(
  json: JsonObject,
  type: FaultType,
  integer: ReturnType<typeof faultFields>["integer"],
): number | undefined {
  if (json.count === undefined && type.count === undefined) return undefined;
  return integer("count", { min: 1, max: MAX_COUNT, ...(type.count !== undefined && { or: type.count }) });
}
