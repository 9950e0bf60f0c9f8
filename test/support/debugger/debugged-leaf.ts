import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Debuggee } from "../../../src/features/debugger/debuggee.ts";
import { contractFixture } from "../chain/contract-fixture.ts";
import { debuggeeOf, recordOf, sourcesIn } from "./debugged-run.ts";

const samples = join(import.meta.dirname, "../../../samples");
const artifact = readFileSync(join(samples, "build/contracts/Leaf.json"), "utf8");
const source = readFileSync(join(samples, "contracts/Leaf.sol"), "utf8");
const SUPPLY = (10n ** 9n).toString(16).padStart(64, "0");
const TO = "11".repeat(20).padStart(64, "0");

/** Path of the source of the token, as the editor names it. */
export const LEAF_PATH = join(samples, "contracts/Leaf.sol");

/** Returns the line from 1 of the source that has a text. */
export function leafLine(text: string): number {
  const line = source.split("\n").findIndex((it) => it.includes(text));
  assert.ok(line >= 0, text);
  return line + 1;
}

/** Deploys the token of the samples, transfers an amount of it, and returns the run of the transfer. */
export async function debuggedTransfer(value: bigint): Promise<Debuggee> {
  const fixture = await contractFixture();
  const { bytecode } = JSON.parse(artifact) as { readonly bytecode: string };
  const { address } = await fixture.deploy(bytecode.replace(/^0x/, "") + SUPPLY);
  const receipt = await fixture.call(address, `a9059cbb${TO}${value.toString(16).padStart(64, "0")}`);
  const sources = sourcesIn(artifact, source);
  const folder = LEAF_PATH.slice(0, -(sources.files()[0]?.path.length ?? 0) - 1);
  return debuggeeOf(recordOf(fixture, receipt), sources, folder);
}
