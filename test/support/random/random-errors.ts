import fc from "fast-check";
import { encodeErrorResult, type Hex as ViemHex } from "viem";
import type { JsonParameter } from "../../../packages/tron/src/abi/abi-type.ts";

/** An error of the ABI with arguments, and its revert data as viem encodes them. */
export interface RandomError {
  readonly name: string;
  readonly inputs: readonly JsonParameter[];
  readonly data: ViemHex;
}

interface Typed {
  readonly type: string;
  readonly components?: readonly JsonParameter[];
  readonly value: fc.Arbitrary<unknown>;
}

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8);
const hexOf = (length: fc.SizeForArbitrary | undefined, min: number, max: number) =>
  fc
    .uint8Array({ minLength: min, maxLength: max, ...(length && { size: length }) })
    .map((it) => `0x${Buffer.from(it).toString("hex")}`);

/** viem takes numbers for integers of up to 48 bits. */
const native = (width: number) => (value: bigint) => (width <= 48 ? Number(value) : value);

const elementary: fc.Arbitrary<Typed> = fc.oneof(
  bits.map((width) => ({
    type: `uint${width}`,
    value: fc.bigInt({ min: 0n, max: 2n ** BigInt(width) - 1n }).map(native(width)),
  })),
  bits.map((width) => ({
    type: `int${width}`,
    value: fc.bigInt({ min: -(2n ** BigInt(width - 1)), max: 2n ** BigInt(width - 1) - 1n }).map(native(width)),
  })),
  fc.constant({ type: "address", value: hexOf(undefined, 20, 20) }),
  fc.constant({ type: "bool", value: fc.boolean() }),
  fc.constant({ type: "string", value: fc.string({ unit: "grapheme", maxLength: 80 }) }),
  fc.constant({ type: "bytes", value: hexOf(undefined, 0, 100) }),
  fc.integer({ min: 1, max: 32 }).map((size) => ({ type: `bytes${size}`, value: hexOf(undefined, size, size) })),
);

const { typed } = fc.letrec<{ typed: Typed; list: Typed; fixed: Typed; tuple: Typed }>((tie) => ({
  typed: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: elementary },
    { weight: 1, arbitrary: tie("list") },
    { weight: 1, arbitrary: tie("fixed") },
    { weight: 2, arbitrary: tie("tuple") },
  ),
  list: tie("typed").map((element) => ({
    ...element,
    type: `${element.type}[]`,
    value: fc.array(element.value, { maxLength: 3 }),
  })),
  fixed: fc.tuple(tie("typed"), fc.integer({ min: 1, max: 3 })).map(([element, length]) => ({
    ...element,
    type: `${element.type}[${length}]`,
    value: fc.array(element.value, { minLength: length, maxLength: length }),
  })),
  tuple: fc.array(tie("typed"), { minLength: 1, maxLength: 4 }).map((fields) => ({
    type: "tuple",
    components: parametersOf(fields),
    value: fc
      .tuple(...fields.map(({ value }) => value))
      .map((values) => Object.fromEntries(values.map((it, at) => [`f${at}`, it]))),
  })),
}));

function parametersOf(fields: readonly Typed[]): readonly JsonParameter[] {
  return fields.map(({ type, components }, at) => ({ name: `f${at}`, type, ...(components && { components }) }));
}

/** Errors with nested tuples, lists, strings and bytes. */
export const randomErrors: fc.Arbitrary<RandomError> = fc
  .tuple(fc.nat(99_999), fc.array(typed, { maxLength: 5 }))
  .chain(([number, fields]) =>
    fc.tuple(...fields.map(({ value }) => value)).map((args) => {
      const [name, inputs] = [`Failure${number}`, parametersOf(fields)];
      const abi = [{ type: "error", name, inputs }] as const;
      return {
        name,
        inputs,
        data: encodeErrorResult({ abi, errorName: name, args } as never),
      };
    }),
  );
