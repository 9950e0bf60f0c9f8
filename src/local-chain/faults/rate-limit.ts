import { answered } from "../http/answer.ts";
import type { FaultType } from "./fault.ts";
import { gatewayPage } from "./gateway-page.ts";

const MAX_SECONDS = 86_400;

/** 429, and the node has never seen the request. `Retry-After` is a number of seconds, a date, or missing. */
export const rateLimit: FaultType = {
  name: "rate-limit",
  read: (fields) => {
    const seconds = fields.integer("seconds", { min: 0, max: MAX_SECONDS, or: 1 });
    const form = fields.choice("form", ["seconds", "date", "none"]);
    return {
      seam: "request",
      act: async (_serve, { now }) => {
        const date = new Date(now() + seconds * 1000).toUTCString();
        const retryAfter = form === "date" ? date : String(seconds);
        return answered(gatewayPage(429, form === "none" ? {} : { "retry-after": retryAfter }));
      },
    };
  },
};
