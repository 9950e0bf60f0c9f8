import { answered } from "../http/answer.ts";
import type { FaultType } from "./fault.ts";
import { gatewayPage } from "./gateway-page.ts";

/** The node does what it is asked, and a gateway answers 5xx in its place. */
export const httpStatusAfter: FaultType = {
  name: "http-status-after",
  read: (fields) => {
    const status = fields.integer("status", { min: 500, max: 599, or: 502 });
    return {
      seam: "request",
      act: async (serve) => {
        await serve();
        return answered(gatewayPage(status));
      },
    };
  },
};
