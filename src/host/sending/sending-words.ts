/** The question when an equal payment is on its way. */
export function twinText(what: string, txId: string, unknown: boolean): { title: string; detail: string } {
  return {
    title: unknown ? "An equal payment has an unknown outcome" : "An equal payment is still on its way",
    detail: [
      `${what}\ntxID ${txId}`,
      unknown
        ? "It may still be executed. A second one would pay twice. Sending the same bytes again is harmless."
        : "It is not final yet. A second one would pay twice.",
    ].join("\n\n"),
  };
}

/** The differences between what was asked and what the gateway built, one a line. */
export function differencesText(differences: readonly { path: string; asked: string; built: string }[]): string {
  return differences.map(({ path, asked, built }) => `${path}: asked ${asked}, built ${built}`).join("\n");
}
