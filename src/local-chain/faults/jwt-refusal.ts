import type { Answer } from "../http/answer.ts";
import { answered } from "../http/answer.ts";
import type { FaultType } from "./fault.ts";
import { gatewayPage } from "./gateway-page.ts";

/**
 * A gateway accepts no token, whatever it says: it ends the connection without a byte, says nothing, or answers 401.
 */
export const jwtRefusal: FaultType = {
  name: "jwt-refusal",
  read: (fields) => {
    const how = fields.choice("how", ["drop", "hang", "401"]);
    return { seam: "request", act: async () => refusal(how) };
  },
};

function refusal(how: "drop" | "hang" | "401"): Answer {
  return how === "401" ? answered(gatewayPage(401)) : { kind: how };
}
