import { create } from "@bufbuild/protobuf";
import { type Address, addressToBytes, bytesToHex, parseAddress } from "@finality/tron/primitives";
import { PermissionSchema } from "@finality/tron/schema";
import { type Account, newAccount, OWNER } from "./account.ts";

/** Where coins go that nobody has any more. Every network has such an account in its genesis block. */
export const BLACK_HOLE: Address = parseAddress("THkYe2f9MJPt5eKcEdeM5Q8ESPdaRyG8PB");

const NAME = bytesToHex(new TextEncoder().encode("Blackhole"));
/** Sun: whatever comes in, it owes more. */
const LEAST_BALANCE = -(2n ** 63n);
const ZERO_ADDRESS = addressToBytes(`41${"0".repeat(40)}` as Address);

/** The account as it begins: only an address that nobody has a key for may act for it (resetBlackholeAccountPermission). */
export function newBlackHole(): Account {
  const account = newAccount(BLACK_HOLE, 0, new Uint8Array());
  return {
    ...account,
    balance: LEAST_BALANCE,
    identity: { ...account.identity, name: NAME },
    ownerPermission: create(PermissionSchema, {
      type: OWNER,
      id: 0,
      permissionName: "owner",
      threshold: 1n,
      keys: [{ address: ZERO_ADDRESS, weight: 1n }],
    }),
    activePermissions: [],
  };
}
