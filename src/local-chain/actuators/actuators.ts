import type { DecodedContract } from "../../core/transaction/raw-data-codec.ts";
import { invalidContract } from "../chain/refusal.ts";
import { accountCreate } from "./account-create.ts";
import { accountPermissionUpdate } from "./account-permission-update.ts";
import type { Actuator } from "./actuator.ts";
import { transfer } from "./transfer.ts";

/** What a chain executes, by contract type. */
export interface Actuators {
  readonly [type: string]: Actuator;
}

export const systemActuators: Actuators = {
  AccountCreateContract: accountCreate,
  TransferContract: transfer,
  AccountPermissionUpdateContract: accountPermissionUpdate,
};

/** @throws {Refusal} `CONTRACT_VALIDATE_ERROR` the type is one that this chain does not execute (yet) */
export function actuatorFor(actuators: Actuators, { type, entry }: DecodedContract): Actuator {
  const actuator = type === undefined ? undefined : actuators[type.name];
  if (actuator !== undefined) return actuator;
  throw invalidContract(`this local chain does not execute ${type?.name ?? `contract type ${entry.type}`} yet`);
}
