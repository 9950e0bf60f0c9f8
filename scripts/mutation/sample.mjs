import { createHash } from "node:crypto";

/**
 * @typedef {{ line: number, column: number }} Position
 * @typedef {{ mutatorName: string, replacement: string, location: { start: Position, end: Position } }} MutatedCode
 */

/**
 * Returns a number from 0 to 1 that depends on the seed and on the mutated code. Names and positions do not matter:
 * code that was renamed or moved has the same number.
 *
 * @param {number} seed
 * @param {MutatedCode} mutant - positions count from 0
 * @param {readonly string[]} lines - of its file
 */
export function sampleNumber(seed, { mutatorName, replacement, location: { start, end } }, lines) {
  const whole = lines.slice(start.line, end.line + 1);
  const before = (whole[0] ?? "").slice(0, start.column);
  const last = (whole.pop() ?? "").slice(0, end.column);
  const mutated = [...whole, last].join("\n").slice(start.column);
  const key = [String(seed), mutatorName, ...[replacement, before, mutated].map(withoutNames)].join("\0");
  return createHash("sha256").update(key).digest().readUInt32BE() / 2 ** 32;
}

/** @param {string} code */
function withoutNames(code) {
  return code
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/[\p{L}_$][\w$]*/gu, "a")
    .replace(/\s+/g, "");
}
