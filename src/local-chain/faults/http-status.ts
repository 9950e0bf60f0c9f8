import { answered } from "../http/answer.ts";
import type { FaultType } from "./fault.ts";
import { gatewayPage } from "./gateway-page.ts";

/** A gateway answers 4xx or 5xx, and the node has never seen the request. */
export const httpStatus: FaultType = {
  name: "http-status",
  read: (fields) => {
    const status = fields.integer("status", { min: 400, max: 599, or: 503 });
    return { seam: "request", act: async () => answered(gatewayPage(status)) };
  },
};
