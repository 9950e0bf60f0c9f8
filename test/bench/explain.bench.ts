import { loadDictionary } from "../../packages/client/src/explain/documented-sources.ts";
import { explain } from "../../packages/client/src/explain/explain.ts";
import { rangesIn } from "../../packages/client/src/explain/explained-range.ts";
import { openTexts, ordinaryTexts } from "../support/explanations/collected-messages.ts";

const ROUNDS = 200;
const LENGTH = 10_000;
const answer = '{"code":"SIGERROR","message":"56616c6964617465207369676e6174757265206572726f723a20736967206572726f72"}';
const filler = "12:00:01 block 0x1f number 17 of TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp {a} READY ";
const line = filler.repeat(LENGTH / filler.length) + answer;

const start = performance.now();
const abi = await loadDictionary();
const loading = performance.now() - start;

for (const [name, input] of Object.entries({ "a broadcast answer": answer, "a line of 10,000 characters": line })) {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = performance.now();
    explain(input, { abi });
    return performance.now() - before;
  }).sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(ROUNDS * share)] ?? 0).toFixed(2);
  console.log(`explain ${name}: ${explain(input, { abi }).entry}, median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}
console.log(`dictionary of selectors loaded in ${loading.toFixed(1)} ms`);

// A terminal of 10,000 lines as programs fill it, one line in a hundred of it from a failure of the chain; and what a
// person may paste at once. Beside each the time that a search for six words in the same text takes.
const LINES = 10_000;
const calm = ordinaryTexts().flatMap(({ text }) => text.split("\n"));
const failed = openTexts().flatMap(({ text }) => text.split("\n"));
const log = Array.from(
  { length: LINES },
  (_, at) => (at % 100 === 0 ? failed : calm)[at % (at % 100 === 0 ? failed : calm).length] ?? "",
);
const paste = Array.from({ length: 1_000 }, (_, at) => openTexts()[at % openTexts().length]?.text ?? "")
  .join("\n")
  .slice(0, 1_000_000);
const WORDS = /error|failed|refused|timeout|revert|balance/gi;

const explainHere = (input: string) => explain(input, { abi });
compare(`links of a terminal of ${LINES.toLocaleString("en-US")} lines`, log.join("\n"), () => {
  for (const one of log) rangesIn(one, explainHere);
});
compare("explain a paste of 1 MB", paste, () => explainHere(paste));

function compare(what: string, text: string, work: () => void): void {
  const own = best(work);
  const search = best(() => [...text.matchAll(WORDS)].length);
  console.log(`${what}: ${own.toFixed(0)} ms, ${(own / search).toFixed(1)} times a search for six words`);
}

function best(work: () => void): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const before = performance.now();
      work();
      return performance.now() - before;
    }),
  );
}
