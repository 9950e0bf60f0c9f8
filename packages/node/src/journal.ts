export { JournalFile } from "./journal/journal-file.ts";
