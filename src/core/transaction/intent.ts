import type { Address } from "../primitives/address.ts";
import type { Sun } from "../primitives/amount.ts";
import type { Hex } from "../primitives/bytes.ts";

export type Resource = "BANDWIDTH" | "ENERGY";

/** What may stand on every transaction, whatever it does. */
interface Common {
  /** Who pays and, unless a permission says otherwise, who signs. */
  readonly owner: Address;
  /** The bytes of `raw_data.data`. */
  readonly memo?: Hex;
  /** 0 is the owner permission, 2 and more are active permissions. */
  readonly permissionId?: number;
}

/** One key of a permission, with its weight. */
export interface PermissionKey {
  readonly address: Address;
  readonly weight: bigint;
}

export interface PermissionIntent {
  readonly name: string;
  readonly threshold: bigint;
  readonly keys: readonly PermissionKey[];
  /** Active permissions alone: 32 bytes, one bit a contract type. */
  readonly operations?: Hex;
}

/** What a person wants the chain to do, before anybody built a transaction. Amounts are sun. */
export type Intent = Common &
  (
    | { readonly kind: "transfer"; readonly to: Address; readonly amount: Sun }
    | { readonly kind: "token-transfer"; readonly to: Address; readonly tokenId: string; readonly amount: bigint }
    | {
        readonly kind: "contract-call";
        readonly contract: Address;
        readonly data: Hex;
        readonly callValue: Sun;
        readonly feeLimit: Sun;
        readonly tokenId?: bigint;
        readonly tokenValue?: bigint;
      }
    | {
        readonly kind: "contract-creation";
        readonly name: string;
        readonly bytecode: Hex;
        readonly abi: Hex;
        readonly callValue: Sun;
        readonly feeLimit: Sun;
        /** The caller's part of the energy, 0 to 100. */
        readonly userPercent: bigint;
        /** Energy that the owner pays at most. */
        readonly originEnergyLimit: bigint;
      }
    | { readonly kind: "stake"; readonly resource: Resource; readonly amount: Sun }
    | { readonly kind: "unstake"; readonly resource: Resource; readonly amount: Sun }
    | { readonly kind: "withdraw" }
    | {
        readonly kind: "delegate";
        readonly resource: Resource;
        readonly amount: Sun;
        readonly receiver: Address;
        /** Blocks during which it cannot be taken back; absent is not locked. */
        readonly lockPeriod?: bigint;
      }
    | { readonly kind: "undelegate"; readonly resource: Resource; readonly amount: Sun; readonly receiver: Address }
    | {
        readonly kind: "permission-update";
        readonly ownerPermission: PermissionIntent;
        readonly witnessPermission?: PermissionIntent;
        readonly activePermissions: readonly PermissionIntent[];
      }
    | { readonly kind: "vote"; readonly votes: readonly { readonly witness: Address; readonly count: bigint }[] }
  );
