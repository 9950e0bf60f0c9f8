export {
  bothUnits,
  coinsText,
  counted,
  formatCoins,
  formatTokenAmount,
  grouped,
  percent,
  percentOf,
  sunText,
  votesText,
} from "./format/amounts.ts";
export type { Checked } from "./format/checked.ts";
export { csvText, isoTime } from "./format/csv.ts";
export { roughly, timeAhead, timeLeft, timeTaken } from "./format/durations.ts";
export { codeBlock, codeInTable, inlineCode, markdownLine, markdownTable, markdownText } from "./format/markdown.ts";
export { type NameOf, namesIn, shortAddress, shortTxId, withoutStop } from "./format/short.ts";
export { formatTime, localDay, localTime, startOfDay, utcDay } from "./format/times.ts";
