/** What simulates calls and says what they cost. A part of its own: it holds protobuf and the words of failures. */
export { estimateCall } from "@finality/client/estimates";
export { estimateWords } from "../labels/estimates.ts";
