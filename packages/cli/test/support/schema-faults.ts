import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json } from "../../../tron/src/primitives/json.ts";
import { outputSchema } from "../../src/output-schema.ts";

// Compiling refuses a schema that the meta-schema of draft 2020-12 does not accept, and unknown keywords.
const isOutput = new Ajv2020({ strict: true, allErrors: true }).compile(outputSchema);

/** Returns the faults of a line of output against the published schema. */
export function schemaFaults(line: Json | undefined): readonly string[] {
  if (isOutput(line)) return [];
  return (isOutput.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
