/**
 * Returns the number of rounds of a random test: `usually` under `npm test`, `inFull` under `npm run model`, and
 * `inShort` under `npm run test:unit`. The last two set FINALITY_RANDOM.
 */
export function howOften(usually: number, inFull: number, inShort = usually): number {
  const { FINALITY_RANDOM } = process.env;
  if (FINALITY_RANDOM === "short") return inShort;
  return FINALITY_RANDOM === "full" ? inFull : usually;
}
