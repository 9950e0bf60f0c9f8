const LONGEST = 64;

/** The candidate that a person meant, two typing errors away at most; undefined when none is as near. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > 2 || candidate.length > LONGEST) continue;
    const distance = distanceBetween(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= 2 && distance < (best?.distance ?? 3)) best = { candidate, distance };
  }
  return best !== undefined && best.distance < name.length ? best.candidate : undefined;
}

/** Returns the number of letters to insert, remove or change. */
function distanceBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1];
    for (let column = 0; column < right.length; column++) {
      const change = (row[column] ?? 0) + (letter === right[column] ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
