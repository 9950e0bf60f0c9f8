import { printJson } from "@finality/tron/primitives";
import { errorCatalogue } from "../cli-error.ts";
import type { RunCommand } from "../command.ts";
import { outputSchema } from "../output-schema.ts";

export const runSchema: RunCommand = async (invocation) => {
  const result = invocation.isOn("errors") ? errorCatalogue() : outputSchema;
  return { result, text: `${printJson(result, 2)}\n` };
};
