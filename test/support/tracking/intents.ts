import { create, toBinary } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { type Address, addressToBytes, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { type Sun, sun } from "../../../packages/tron/src/primitives/amount.ts";
import type { BlockId } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, type Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import type { Validity } from "../../../packages/tron/src/transaction/built-transaction.ts";
import { ABISchema, WitnessUpdateContractSchema } from "../../../packages/tron/src/transaction/gen/transaction_pb.js";
import type {
  Intent,
  PermissionIntent,
  Resource,
  StakePurpose,
} from "../../../packages/tron/src/transaction/intent.ts";
import { messageFromJson } from "../../../packages/tron/src/transaction/transaction-json.ts";

/** The head that random validities are made for, chain time in ms. */
export const HEAD_TIMESTAMP = 1_777_447_467_000;

export const OWNER = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");
export const RECIPIENT = parseAddress("TUg28KYvCXWW81EqMUeZvCZmZw2BChk1HQ");

/** A plain transfer of 1.5 coins. */
export const TRANSFER = { kind: "transfer", owner: OWNER, to: RECIPIENT, amount: sun(1_500_000n) } as const;

/** Valid for a minute after `HEAD_TIMESTAMP`. */
export const VALIDITY: Validity = {
  referenceBlock: "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e" as BlockId,
  expiration: HEAD_TIMESTAMP + 60_000,
  timestamp: HEAD_TIMESTAMP + 1_234,
};

export const anyAddress: fc.Arbitrary<Address> = hexOf(20, 20).map((it) => parseAddress(`41${it}`));
/** Within what a number of JavaScript holds exactly, which is all that TronWeb can be asked for. */
const anySun: fc.Arbitrary<Sun> = fc.bigInt(1n, 2n ** 53n - 1n).map(sun);
const anyResource = fc.constantFrom<Resource>("BANDWIDTH", "ENERGY");
const anyPurpose = fc.constantFrom<StakePurpose>("BANDWIDTH", "ENERGY", "TRON_POWER");

/** A constructor that takes coins, and whatever function. */
export function abiOf(name: string): readonly JsonObject[] {
  const input = { name: "to", type: "address" };
  return [
    { type: "Constructor", stateMutability: "Payable", payable: true, inputs: [input] },
    { type: "Function", name, stateMutability: "View", constant: true, outputs: [{ name: "", type: "uint256" }] },
    { type: "Event", name: `${name}ed`, anonymous: true, inputs: [{ ...input, indexed: true }] },
  ];
}

export function abiToHex(entrys: readonly JsonObject[]): Hex {
  return bytesToHex(toBinary(ABISchema, messageFromJson(ABISchema, { entrys }, false, "abi") as never));
}

const anyPermission = (operations: fc.Arbitrary<Hex | undefined>): fc.Arbitrary<PermissionIntent> =>
  fc
    .record({
      name: fc.string({ minLength: 1, maxLength: 32 }),
      threshold: fc.bigInt(1n, 10n),
      keys: fc.array(fc.record({ address: anyAddress, weight: fc.bigInt(1n, 10n) }), { minLength: 1, maxLength: 5 }),
      operations,
    })
    .map(({ operations: mask, ...rest }) => (mask === undefined ? rest : { ...rest, operations: mask }));

const noMask = fc.constant(undefined);
const witnessPermission = fc.option(anyPermission(noMask), { nil: undefined });

/** One arbitrary for each kind of intent, without what is common to all. */
const bodies = {
  transfer: fc.record({ kind: fc.constant("transfer" as const), to: anyAddress, amount: anySun }),
  "token-transfer": fc.record({
    kind: fc.constant("token-transfer" as const),
    to: anyAddress,
    tokenId: fc.integer({ min: 1_000_001, max: 9_999_999 }).map(String),
    amount: fc.bigInt(1n, 2n ** 53n - 1n),
  }),
  "contract-call": fc.record({
    kind: fc.constant("contract-call" as const),
    contract: anyAddress,
    data: hexOf(4, 200),
    callValue: fc.oneof(fc.constant(sun(0n)), anySun),
    feeLimit: anySun,
    tokenId: fc.bigInt(1_000_001n, 2n ** 53n - 1n),
    tokenValue: fc.bigInt(0n, 2n ** 53n - 1n),
  }),
  "contract-creation": fc.record({
    kind: fc.constant("contract-creation" as const),
    name: fc.string({ minLength: 1, maxLength: 32 }),
    bytecode: hexOf(1, 600),
    abi: fc.constantFrom("total", "balanceOf", "größe").map((name) => abiToHex(abiOf(name))),
    callValue: fc.oneof(fc.constant(sun(0n)), anySun),
    feeLimit: anySun,
    userPercent: fc.bigInt(0n, 100n),
    originEnergyLimit: fc.bigInt(1n, 10_000_000n),
  }),
  stake: fc.record({ kind: fc.constant("stake" as const), resource: anyPurpose, amount: anySun }),
  unstake: fc.record({ kind: fc.constant("unstake" as const), resource: anyPurpose, amount: anySun }),
  withdraw: fc.record({ kind: fc.constant("withdraw" as const) }),
  "cancel-unstakes": fc.record({ kind: fc.constant("cancel-unstakes" as const) }),
  "claim-reward": fc.record({ kind: fc.constant("claim-reward" as const) }),
  "account-creation": fc.record({ kind: fc.constant("account-creation" as const), account: anyAddress }),
  "account-name": fc.record({
    kind: fc.constant("account-name" as const),
    name: fc.string({ minLength: 1, maxLength: 32, unit: "grapheme" }),
  }),
  "contract-share": fc.record({
    kind: fc.constant("contract-share" as const),
    contract: anyAddress,
    userPercent: fc.bigInt(0n, 100n),
  }),
  "contract-limit": fc.record({
    kind: fc.constant("contract-limit" as const),
    contract: anyAddress,
    originEnergyLimit: fc.bigInt(1n, 10_000_000n),
  }),
  "contract-abi-removal": fc.record({ kind: fc.constant("contract-abi-removal" as const), contract: anyAddress }),
  delegate: fc
    .record({
      kind: fc.constant("delegate" as const),
      resource: anyResource,
      amount: anySun,
      receiver: anyAddress,
      lockPeriod: fc.option(fc.bigInt(0n, 864_000n), { nil: undefined }),
    })
    .map(({ lockPeriod, ...rest }) => (lockPeriod === undefined ? rest : { ...rest, lockPeriod })),
  undelegate: fc.record({
    kind: fc.constant("undelegate" as const),
    resource: anyResource,
    amount: anySun,
    receiver: anyAddress,
  }),
  "permission-update": fc
    .record({
      kind: fc.constant("permission-update" as const),
      ownerPermission: anyPermission(noMask),
      witness: witnessPermission,
      activePermissions: fc.array(anyPermission(hexOf(32, 32)), { minLength: 1, maxLength: 8 }),
    })
    .map(({ witness, ...rest }) => (witness === undefined ? rest : { ...rest, witnessPermission: witness })),
  vote: fc.record({
    kind: fc.constant("vote" as const),
    votes: fc.uniqueArray(fc.record({ witness: anyAddress, count: fc.bigInt(1n, 2n ** 53n - 1n) }), {
      minLength: 1,
      maxLength: 30,
      selector: (it) => it.witness,
    }),
  }),
} satisfies { readonly [K in OwnKind]: fc.Arbitrary<unknown> };

/** Kinds that are built here; the rest counts as built elsewhere. */
export type OwnKind = Exclude<Intent["kind"], "other">;

export const intentKinds = Object.keys(bodies) as readonly OwnKind[];

const anyCommon = fc
  .record({
    owner: anyAddress,
    memo: fc.option(hexOf(1, 100), { nil: undefined }),
    permissionId: fc.option(fc.integer({ min: 2, max: 9 }), { nil: undefined }),
  })
  .map(({ owner, memo, permissionId }) => ({
    owner,
    ...(memo === undefined ? {} : { memo }),
    ...(permissionId === undefined ? {} : { permissionId }),
  }));

/** Any intent of one kind, or of any kind. */
export function anyIntent(kind?: OwnKind): fc.Arbitrary<Intent> {
  const body = kind === undefined ? fc.oneof(...Object.values(bodies)) : bodies[kind];
  return fc.tuple(anyCommon, body as fc.Arbitrary<object>).map(([common, it]) => ({ ...common, ...it }) as Intent);
}

/** Any reference block, and an expiration within 24 hours after `HEAD_TIMESTAMP`. */
export const anyValidity: fc.Arbitrary<Validity> = fc.record({
  referenceBlock: hexOf(32, 32) as fc.Arbitrary<Hex> as fc.Arbitrary<BlockId>,
  expiration: fc.integer({ min: HEAD_TIMESTAMP + 1, max: HEAD_TIMESTAMP + 86_400_000 }),
  timestamp: fc.integer({ min: 1, max: 4_000_000_000_000 }),
});

function hexOf(minLength: number, maxLength: number): fc.Arbitrary<Hex> {
  return fc.uint8Array({ minLength, maxLength }).map(bytesToHex);
}

/** Kinds that are not built here. */
export const anyOtherIntent: fc.Arbitrary<Intent> = fc
  .tuple(anyCommon, anySun, hexOf(1, 40))
  .map(([common, feeLimit, url]) => {
    const updateUrl = Buffer.from(url, "hex");
    const message = create(WitnessUpdateContractSchema, { ownerAddress: addressToBytes(common.owner), updateUrl });
    const parameter = bytesToHex(toBinary(WitnessUpdateContractSchema, message));
    return { ...common, kind: "other", type: "WitnessUpdateContract", parameter, feeLimit };
  });
