import { withoutEscapes } from "../explain/decode/plain-forms.ts";
import type { Explain, Reading } from "./reading.ts";
import { readingsIn } from "./readings-in.ts";

const MAX_LINES = 400;

/** The last failure of a transaction that a command printed; undefined when there is none. Takes time linear in the output. */
export function lastFailureIn(output: string, explain: Explain): Reading | undefined {
  const lines = withoutEscapes(output).split(/\r?\n/).slice(-MAX_LINES).reverse();
  for (const line of lines) {
    const failed = readingsIn(line, explain).filter(
      ({ explanation: { category } }) => category === "validation" || category === "execution" || category === "abi",
    );
    if (failed.length > 0) return failed.at(-1);
  }
  return undefined;
}
