import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { selectorOf } from "../../../packages/tron/src/abi.ts";
import type { Debuggee } from "../../../src/features/debugger/debuggee.ts";
import { type ContractFixture, contractFixture, type Receipt } from "../chain/contract-fixture.ts";
import { debuggeeOf, recordOf, sourcesIn } from "./debugged-run.ts";

/** Output of the compiler 0.8.37 for the source in it, without optimizer. */
const build = readFileSync(join(import.meta.dirname, "../../fixtures/debugger/walk.json"), "utf8");

interface Build {
  readonly input: { readonly sources: { readonly [path: string]: { readonly content: string } } };
  readonly output: {
    readonly contracts: {
      readonly [path: string]: { readonly [name: string]: { readonly evm: { readonly bytecode: { object: string } } } };
    };
  };
}

const { input, output } = JSON.parse(build) as Build;
const PATH = "contracts/Walk.sol";
const source = input.sources[PATH]?.content ?? "";
const FOLDER = "/work-of-test";

/** Path of the source, as the editor names it. */
export const WALK_PATH = `${FOLDER}/${PATH}`;

/** Returns the line from 1 of the source that has a text. */
export function walkLine(text: string): number {
  const line = source.split("\n").findIndex((it) => it.includes(text));
  assert.ok(line >= 0, text);
  return line + 1;
}

/** Contracts of the source on a chain. */
export interface WalkFixture {
  readonly fixture: ContractFixture;
  readonly shop: string;
  readonly proxy: string;
  /** Calls a function, and returns the run of the transaction. */
  debug(contract: string, signature: string, ...values: readonly bigint[]): Promise<Debuggee>;
}

/** Deploys the shop with its library and till, and a proxy of it. */
export async function walkFixture(): Promise<WalkFixture> {
  const fixture = await contractFixture();
  const codeOf = (name: string): string => output.contracts[PATH]?.[name]?.evm.bytecode.object ?? "";
  const word = (address: string): string => address.slice(2).padStart(64, "0");
  const { address: library } = await fixture.deploy(codeOf("Sums"));
  const { address: till } = await fixture.deploy(codeOf("Till"));
  const { address: shop } = await fixture.deploy(codeOf("Shop").replaceAll(/__.{38}/g, library.slice(2)) + word(till));
  const { address: proxy } = await fixture.deploy(codeOf("Proxy") + word(shop) + word(till));
  return {
    fixture,
    shop,
    proxy,
    debug: async (contract, signature, ...values) => {
      const receipt: Receipt = await fixture.call(contract as typeof shop, callData(signature, values));
      return debuggeeOf(recordOf(fixture, receipt), sourcesIn(build), FOLDER);
    },
  };
}

function callData(signature: string, values: readonly bigint[]): string {
  return selectorOf(signature) + values.map((it) => it.toString(16).padStart(64, "0")).join("");
}
