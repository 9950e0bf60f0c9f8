import type { FaultType } from "./fault.ts";
import {
  codeEnded,
  constantCallsOff,
  duplicateAnswer,
  duplicateCache,
  estimateOff,
  falseRefusal,
  poolFull,
  staleHead,
} from "./node-faults.ts";
import { clockSkew, reorganisation, solidificationStopped } from "./time-faults.ts";
import {
  connectionRefused,
  httpStatus,
  httpStatusAfter,
  jwtRefusal,
  latency,
  lostAnswer,
  notJson,
  rateLimit,
  resetBefore,
  truncatedBody,
} from "./transport-faults.ts";

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
