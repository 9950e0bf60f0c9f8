import { AbiCoder, Interface, type ParamType } from "ethers";
import fc from "fast-check";
import { decodeAbiParameters, toFunctionSelector, type AbiParameter as ViemParameter } from "viem";
import { candidateFromJson, createAbiIndex } from "../../packages/tron/src/abi/abi-index.ts";
import { readRevertData } from "../../packages/tron/src/abi/revert-data.ts";
import { randomErrors } from "../support/random/random-errors.ts";
import { report } from "./row.ts";

const ERRORS = 5000;
const ROUNDS = 5;

/** Errors whose selectors differ, each with revert data. */
const errors = [
  ...new Map(
    fc.sample(randomErrors, { numRuns: ERRORS + 500, seed: 7 }).map((it) => [it.data.slice(0, 10), it] as const),
  ).values(),
].slice(0, ERRORS);
const blobs = errors.map(({ data }) => data);

/** The better of two: the first one pays for the compiler. */
const warm = (work: () => void): number => Math.min(milliseconds(work), milliseconds(work));

const milliseconds = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

/** Rounds of the three take turns, so that a busy machine slows all of them; the median counts. */
function race(decoders: { readonly [name: string]: (data: string) => unknown }): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>(Object.keys(decoders).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, decode] of Object.entries(decoders)) {
      const ms = milliseconds(() => {
        for (const data of blobs) decode(data);
      });
      if (round > 0) times.get(name)?.push(ms);
    }
  }
  return new Map([...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0]));
}

// Each library gets an index by selector: neither has one, and searching 5,000 errors would be no comparison.
let ours = createAbiIndex([]);
const indexing = warm(() => {
  ours = createAbiIndex(
    errors.flatMap(({ name, inputs }) => candidateFromJson({ type: "error", name, inputs }, "bench") ?? []),
  );
});
const viemItems = new Map<string, readonly ViemParameter[]>();
const indexingViem = warm(() => {
  for (const { name, inputs } of errors) {
    viemItems.set(
      toFunctionSelector({ type: "function", name, inputs, outputs: [], stateMutability: "view" } as never),
      inputs as never,
    );
  }
});
const ethersItems = new Map<string, readonly ParamType[]>();
const indexingEthers = warm(() => {
  const face = new Interface(JSON.stringify(errors.map(({ name, inputs }) => ({ type: "error", name, inputs }))));
  face.forEachError((fragment) => ethersItems.set(fragment.selector, fragment.inputs));
});
const coder = AbiCoder.defaultAbiCoder();

const medians = race({
  ours: (data) => readRevertData(Buffer.from(data.slice(2), "hex"), ours),
  viem: (data) => decodeAbiParameters(viemItems.get(data.slice(0, 10)) ?? [], `0x${data.slice(10)}`),
  ethers: (data) => coder.decode(ethersItems.get(data.slice(0, 10)) ?? [], `0x${data.slice(10)}`).toArray(true),
});

const perSecond = (name: string): number => Math.round(blobs.length / ((medians.get(name) ?? 0) / 1000));
const fastest = Math.max(perSecond("viem"), perSecond("ethers"));
const shown = (value: number): string => value.toLocaleString("en-US");
console.log(
  `custom errors, index of ${shown(errors.length)}: ours ${shown(perSecond("ours"))}/s, viem ${shown(perSecond("viem"))}/s, ` +
    `ethers ${shown(perSecond("ethers"))}/s, ratio to the faster ${(perSecond("ours") / fastest).toFixed(2)}`,
);
console.log(
  `index built in: ours ${indexing.toFixed(0)} ms, viem ${indexingViem.toFixed(0)} ms, ethers ${indexingEthers.toFixed(0)} ms`,
);
for (const peer of ["viem", "ethers"])
  report({
    area: "explanations and errors",
    what: "decode the revert data of a custom error",
    meaning: "Hovers, rows and lenses show the reason of a failed call.",
    peer,
    unit: "errors/s",
    better: "more",
    ours: perSecond("ours"),
    theirs: perSecond(peer),
  });
report({
  area: "explanations and errors",
  what: `index ${shown(errors.length)} errors by selector`,
  meaning: "Delay until the errors of a large project have names.",
  peer: "the faster of viem and ethers",
  unit: "ms",
  better: "less",
  ours: indexing,
  theirs: Math.min(indexingViem, indexingEthers),
  reason:
    "the types are parsed once, here, which makes decoding faster; viem computes only selectors, and parses the types at every decoding",
});
if (perSecond("ours") < fastest) process.exitCode = 1;
