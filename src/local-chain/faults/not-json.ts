import { answered } from "../http/answer.ts";
import type { FaultType } from "./fault.ts";
import { gatewayPage } from "./gateway-page.ts";

/** The node does what it is asked, and the answer is a page with status 200. */
export const notJson: FaultType = {
  name: "not-json",
  read: () => ({
    seam: "request",
    act: async (serve) => {
      await serve();
      return answered(gatewayPage(200));
    },
  }),
};
