/** What simulates calls and says what they cost. A part of its own: it holds protobuf and the words of failures. */
export { estimateCall } from "../../core/estimates/estimate-call.ts";
export { estimateWords } from "../../words/sentences/estimates.ts";
