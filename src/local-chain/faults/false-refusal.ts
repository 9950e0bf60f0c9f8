import { expired, insufficientResources, invalidContract, Refusal } from "../chain/refusal.ts";
import type { FaultType } from "./fault.ts";

/**
 * Broadcasts are taken into the pool, and refused all the same: whoever answers is wrong, or lies. What is really
 * refused is so as ever.
 */
export const falseRefusal: FaultType = {
  name: "false-refusal",
  read: (fields) => {
    const code = fields.choice("code", CODES);
    return {
      seam: "admission",
      act: (transaction, fires, view) => {
        if (!fires()) return;
        view.submit(transaction);
        throw REFUSALS[code]();
      },
    };
  },
};

const CODES = [
  "CONTRACT_VALIDATE_ERROR",
  "SIGERROR",
  "BANDWITH_ERROR",
  "TRANSACTION_EXPIRATION_ERROR",
  "SERVER_BUSY",
] as const;

const REFUSALS: { readonly [C in (typeof CODES)[number]]: () => Refusal } = {
  CONTRACT_VALIDATE_ERROR: () => invalidContract("No contract!"),
  SIGERROR: () => new Refusal("SIGERROR", "sig error"),
  BANDWITH_ERROR: insufficientResources,
  TRANSACTION_EXPIRATION_ERROR: expired,
  SERVER_BUSY: () => new Refusal("SERVER_BUSY", "Server busy."),
};
