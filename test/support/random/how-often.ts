/**
 * How often a random test plays: as often as a run that people wait for allows, and in full under `npm run model`,
 * which sets FINALITY_RANDOM.
 */
export function howOften(usually: number, inFull: number): number {
  return process.env.FINALITY_RANDOM === "full" ? inFull : usually;
}
