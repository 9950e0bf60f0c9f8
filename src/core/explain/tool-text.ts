import type { ExplainContext } from "./explanation.ts";
import type { Finding } from "./finding.ts";
import { explainRevertData } from "./revert-finding.ts";

const PANIC = /\bpanic code (0x[0-9a-f]{1,64}|\d{1,9})\b/i;
const REASON = /\breverted with reason string '([^'\n]{0,1000})'/i;

/** Explains what test runners print of a revert: the code of a panic, or the text of the reason. */
export function explainToolText(text: string, context: ExplainContext): Finding | undefined {
  const panic = PANIC.exec(text)?.[1];
  if (panic !== undefined) return explainRevertData(Buffer.from(`4e487b71${word(BigInt(panic))}`, "hex"), context);
  const reason = REASON.exec(text)?.[1];
  if (reason === undefined) return undefined;
  const bytes = Buffer.from(reason, "utf8");
  const padded = bytes.toString("hex").padEnd(Math.ceil(bytes.length / 32) * 64, "0");
  return explainRevertData(Buffer.from(`08c379a0${word(32n)}${word(BigInt(bytes.length))}${padded}`, "hex"), context);
}

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
