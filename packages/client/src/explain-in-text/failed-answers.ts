import { hasTrace } from "../explain/decode/trace.ts";
import { objectStarts } from "../explain/recognise/objects.ts";
import { type Explain, type Reading, readObject } from "./reading.ts";

const MAX_ANSWERS = 500;
/** Maximum length parsed in total: an object that did not fail is searched for inner objects. */
const MAX_WORK = 2_000_000;

/** The failed answers in a document, in order. They may go over many lines. */
export function failedAnswersIn(text: string, explain: Explain): readonly Reading[] {
  const readings: Reading[] = [];
  let work = 0;
  let read = 0;
  const context = { explain, isOfChain: () => hasTrace(text) };
  for (const start of objectStarts(text)) {
    if (start < read) continue;
    if (readings.length >= MAX_ANSWERS || work >= MAX_WORK) break;
    const reading = readObject(text, start, context);
    work += (reading?.end ?? nextBrace(text, start)) - start;
    if (reading === undefined) continue;
    readings.push(reading);
    read = reading.end;
  }
  return readings;
}

function nextBrace(text: string, at: number): number {
  const end = text.indexOf("}", at);
  return end < 0 ? text.length : end;
}
