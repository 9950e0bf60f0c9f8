import { readSampleCall, type SampleCall } from "./call-file.ts";

const TAG = /@custom:estimate\b[ \t]*(.*)/g;

/**
 * The sample calls in a function's documentation, each the fields of a call file as JSON on one line:
 * `/// @custom:estimate {"caller": "Bob", "arguments": ["TXYZ…", "1000000"]}`. A tag that cannot be read gives none.
 *
 * @param comments what stands before the function: its comments and blanks
 */
export function readEstimateTags(comments: string): readonly SampleCall[] {
  return [...comments.matchAll(TAG)]
    .map(([, written = ""]) => readSampleCall(written.replace(/\*\/.*$/, "").trim()))
    .filter((sample) => sample !== undefined);
}
