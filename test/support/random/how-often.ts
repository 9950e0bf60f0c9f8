/**
 * Returns the number of rounds of a random test: `usually` under `npm test`, `inFull` under `npm run model`, which sets
 * FINALITY_RANDOM to `full`.
 */
export function howOften(usually: number, inFull: number): number {
  return process.env.FINALITY_RANDOM === "full" ? inFull : usually;
}
