import { clockSkew } from "./clock-skew.ts";
import { codeEnded } from "./code-ended.ts";
import { connectionRefused } from "./connection-refused.ts";
import { constantCallsOff } from "./constant-calls-off.ts";
import { duplicateAnswer } from "./duplicate-answer.ts";
import { duplicateCache } from "./duplicate-cache.ts";
import { estimateOff } from "./estimate-off.ts";
import { falseRefusal } from "./false-refusal.ts";
import type { FaultType } from "./fault.ts";
import { httpStatus } from "./http-status.ts";
import { httpStatusAfter } from "./http-status-after.ts";
import { jwtRefusal } from "./jwt-refusal.ts";
import { latency } from "./latency.ts";
import { lostAnswer } from "./lost-answer.ts";
import { notJson } from "./not-json.ts";
import { poolFull } from "./pool-full.ts";
import { rateLimit } from "./rate-limit.ts";
import { reorganisation } from "./reorganisation.ts";
import { resetBefore } from "./reset-before.ts";
import { solidificationStopped } from "./solidification-stopped.ts";
import { staleHead } from "./stale-head.ts";
import { truncatedBody } from "./truncated-body.ts";

/** Every fault there is. */
export const faultTypes: readonly FaultType[] = [
  latency,
  connectionRefused,
  resetBefore,
  lostAnswer,
  truncatedBody,
  notJson,
  httpStatus,
  httpStatusAfter,
  rateLimit,
  staleHead,
  duplicateAnswer,
  duplicateCache,
  poolFull,
  falseRefusal,
  jwtRefusal,
  clockSkew,
  reorganisation,
  solidificationStopped,
  estimateOff,
  constantCallsOff,
  codeEnded,
];
