import type { TrackingStateKind } from "../../core/tracking/tracking-state.ts";

/** The question when an equal payment is on its way, or came to its end since. */
export function twinText(what: string, txId: string, state: TrackingStateKind): { title: string; detail: string } {
  const [title, meaning] = twinMeaning(state);
  return { title, detail: [`${what}\ntxID ${txId}`, meaning].join("\n\n") };
}

function twinMeaning(state: TrackingStateKind): readonly [title: string, meaning: string] {
  switch (state) {
    case "unknown":
      return [
        "An equal payment has an unknown outcome",
        "It may still be executed. A second one would pay twice. Sending the same bytes again is harmless.",
      ];
    case "solidified":
      return ["An equal payment was executed meanwhile", "It is final. A second one would pay twice."];
    default:
      return ["An equal payment is still on its way", "It is not final yet. A second one would pay twice."];
  }
}

/** The differences between what was asked and what the gateway built, one a line. */
export function differencesText(differences: readonly { path: string; asked: string; built: string }[]): string {
  return differences.map(({ path, asked, built }) => `${path}: asked ${asked}, built ${built}`).join("\n");
}
