import { answered } from "../http/answer.ts";
import type { FaultType } from "./fault.ts";

const MAX_MS = 31_536_000_000;

/**
 * The clock of the server is wrong: `Date` of its answers is ahead, or behind when negative. Times of blocks are not
 * touched.
 */
export const clockSkew: FaultType = {
  name: "clock-skew",
  read: (fields) => {
    const ms = fields.integer("ms", { min: -MAX_MS, max: MAX_MS });
    return {
      seam: "request",
      act: async (serve, { now }) => {
        const answer = await serve();
        if (answer.kind !== "answer") return answer;
        const date = new Date(now() + ms).toUTCString();
        return answered({ ...answer.response, headers: { ...answer.response.headers, date } });
      },
    };
  },
};
