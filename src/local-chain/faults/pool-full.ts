import { Refusal } from "../chain/refusal.ts";
import type { FaultType } from "./fault.ts";

/** Broadcasts are refused as by a node whose pool is full; nothing is checked, nothing is kept. */
export const poolFull: FaultType = {
  name: "pool-full",
  read: () => ({
    seam: "admission",
    act: (_transaction, fires) => {
      if (fires()) throw new Refusal("SERVER_BUSY", "Server busy.");
    },
  }),
};
