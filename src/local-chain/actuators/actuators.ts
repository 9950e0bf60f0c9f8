import type { DecodedContract } from "../../core/transaction/raw-data-codec.ts";
import { invalidContract } from "../chain/refusal.ts";
import { accountCreate } from "./account-create.ts";
import { accountPermissionUpdate } from "./account-permission-update.ts";
import type { Actuator } from "./actuator.ts";
import { transfer } from "./transfer.ts";

/** What this chain executes, by contract type. */
const actuators: { readonly [type: string]: Actuator } = {
  AccountCreateContract: accountCreate,
  TransferContract: transfer,
  AccountPermissionUpdateContract: accountPermissionUpdate,
};

/** @throws {Refusal} `CONTRACT_VALIDATE_ERROR` the type is one that this chain does not execute (yet) */
export function actuatorFor({ type, entry }: DecodedContract): Actuator {
  const actuator = type === undefined ? undefined : actuators[type.name];
  if (actuator !== undefined) return actuator;
  throw invalidContract(`this local chain does not execute ${type?.name ?? `contract type ${entry.type}`} yet`);
}
