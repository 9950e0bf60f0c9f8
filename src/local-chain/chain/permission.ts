import { create } from "@bufbuild/protobuf";
import { type Address, addressFromBytes, addressToBytes } from "../../core/primitives/address.ts";
import { hexToBytes } from "../../core/primitives/bytes.ts";
import { type Permission, PermissionSchema } from "../../core/transaction/gen/transaction_pb.js";

export const OWNER = 0;
export const ACTIVE = 2;
export const FIRST_ACTIVE_ID = 2;

/** The contract types that an active permission may allow on the recorded chain, as a bit mask of 32 bytes. */
export const AVAILABLE_OPERATIONS = hexToBytes(`7fff1fc0033e0108${"00".repeat(24)}`);

/** What every new account starts with: its own key alone decides. */
export function defaultOwnerPermission(address: Address): Permission {
  return create(PermissionSchema, {
    type: OWNER,
    id: 0,
    permissionName: "owner",
    threshold: 1n,
    keys: [keyOf(address)],
  });
}

export function defaultActivePermission(address: Address): Permission {
  return create(PermissionSchema, {
    type: ACTIVE,
    id: FIRST_ACTIVE_ID,
    permissionName: "active",
    threshold: 1n,
    operations: AVAILABLE_OPERATIONS,
    keys: [keyOf(address)],
  });
}

/** The weight of a key in a permission, or undefined when it is not part of it. */
export function weightOf(permission: Permission, address: Address): bigint | undefined {
  return permission.keys.find((key) => addressFromBytes(key.address) === address)?.weight;
}

/** Whether the bit of a contract type is set: byte type/8, mask 1 << type%8. */
export function allowsOperation(operations: Uint8Array, contractType: number): boolean {
  return (((operations[contractType >> 3] ?? 0) >> (contractType & 7)) & 1) === 1;
}

function keyOf(address: Address): { address: Uint8Array; weight: bigint } {
  return { address: addressToBytes(address), weight: 1n };
}
