export type { Checked } from "./format/checked.ts";
export { bothUnits, coinsText, formatCoins, formatTokenAmount, sunText } from "./format/coins.ts";
export { roughly, timeAhead, timeLeft, timeTaken } from "./format/durations.ts";
export { codeBlock, codeInTable, inlineCode, markdownTable, markdownText } from "./format/markdown.ts";
export { counted, grouped, percent, percentOf, votesText } from "./format/numbers.ts";
export { type NameOf, namesIn, shortAddress, shortTxId } from "./format/short.ts";
export { formatTime, localTime, startOfDay, utcDay } from "./format/times.ts";
