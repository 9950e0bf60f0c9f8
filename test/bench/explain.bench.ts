import { loadDictionary } from "../../src/core/explain/dictionary.ts";
import { explain } from "../../src/core/explain/explain.ts";

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
