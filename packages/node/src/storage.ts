export { AppendLog } from "./storage/append-log.ts";
export { appendToFile, codeOf, draftOf, linesOf, readIfPresent, replaceFile } from "./storage/durable-file.ts";
export { PinFile } from "./storage/pin-file.ts";
