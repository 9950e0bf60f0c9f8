import { t } from "@vscode/l10n";
import { contractFacts } from "./contract-facts.ts";
import { type DebugFrame, type DebugScope, type DebugValue, missingValue } from "./debug-value.ts";
import { evaluate } from "./evaluate.ts";
import { packedBytes, type SolidityType } from "./solidity-type.ts";
import { bytesValue, wordValue } from "./word-value.ts";

const WORD_BITS = 256n;
/** Constants may use others, which are declared later. */
const ROUNDS = 4;

/** Returns the constants of the contract whose code runs, and those outside of contracts. */
export function constantValues({ code }: DebugFrame): readonly DebugValue[] {
  if (code === undefined) return [];
  const { constants, types } = contractFacts(code.compiled);
  const files = new Map(code.files().map(({ path, source }) => [path, source] as const));
  const found = new Map<number, DebugValue>();
  const scope: DebugScope = { kind: "state", name: "", variables: () => [...found.values()] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { file, node } of constants) {
      const source = files.get(code.compiled.sources.get(file)?.path ?? "");
      if (found.has(node.id) || source === undefined || node.value === undefined) continue;
      const value = evaluate(source.slice(node.value.start, node.value.end), [scope]);
      const made = "raw" in value ? typedConstant(types.typeOf(node.type), value) : undefined;
      if (made !== undefined) found.set(node.id, { ...made, name: node.name, evaluateName: node.name });
    }
  return constants.map(
    ({ node }) =>
      found.get(node.id) ??
      missingValue(node.name, types.typeOf(node.type).label, t`the debugger cannot evaluate its value`),
  );
}

/** Returns a value as the declared type; undefined if it does not fit. */
function typedConstant(type: SolidityType, { raw }: DebugValue): Omit<DebugValue, "name"> | undefined {
  const { label, kind } = type;
  if (kind === "string" && typeof raw === "string")
    return { type: label, ...bytesValue(type, Buffer.from(raw, "utf8")) };
  const bytes = packedBytes(type);
  const number = typeof raw === "boolean" ? BigInt(raw) : typeof raw === "bigint" ? raw : wordOfHex(raw);
  if (bytes === undefined || number === undefined) return undefined;
  const isLeft = kind === "fixed-bytes" && typeof raw === "bigint";
  const shown = wordValue(type, isLeft ? number << (WORD_BITS - BigInt(8 * bytes)) : number);
  return shown === undefined ? undefined : { type: label, ...shown };
}

/** Bytes are on the left of a word. */
function wordOfHex(raw: string | undefined): bigint | undefined {
  return raw !== undefined && /^0x[\da-f]{1,64}$/i.test(raw) ? BigInt(raw.padEnd(66, "0")) : undefined;
}
