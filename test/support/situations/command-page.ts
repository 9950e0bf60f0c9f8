import type { Situation } from "./makings.ts";
import type { Seen } from "./seen.ts";
import type { SituationSeen } from "./windows.ts";

/** The situations, each by its letter. */
export const situationNames: Readonly<Record<Situation, { readonly letter: string; readonly what: string }>> = {
  empty: { letter: "E", what: "an empty window" },
  folder: { letter: "F", what: "a folder with a note in it" },
  project: { letter: "P", what: "a project with contracts, call files and tronbox.js, and no network" },
  own: {
    letter: "T",
    what: "the same, trusted, with a network of one's own, a watched address and nobody who can sign",
  },
  local: {
    letter: "L",
    what: "the same with the local chain running, and on it a contract, a payment that is final, one whose outcome is unknown, somebody who is waited for, a snapshot, and a key of one's own",
  },
  untrusted: {
    letter: "R",
    what: "a network of real money with a JWT key, and a watched address, in Restricted Mode",
  },
};

const situations = Object.keys(situationNames) as Situation[];

const HEAD = `# Every command in five worlds

What each command of the palette does, as the palette runs it, when everything that it asks is answered with Escape. The worlds are:

${situations.map((situation) => `- **${situationNames[situation].letter}**: ${situationNames[situation].what}`).join("\n")}

T stands between the five: it shows what a trusted window offers before there is a key. Each row is of its world as it was made: what a command leaves otherwise is put back before the
next one.

*offered*: the worlds in which the palette lists it. A command that is not offered can still be called, by a keybinding or another extension, and says why it cannot work.
Nothing wakes the extension in an empty window or a plain folder. While it sleeps, the palette lists what it lists awake where nothing is set up, as in E and F; where the settings name a
network, it lists whatever may work there: the command that is called wakes the extension, and looks.
The table is made by \`test/browser/five-situations.test.ts\` from windows that it opens, and compared with this page; with \`FINALITY_WRITE=1\` it is written.

| command | offered | what is seen |
| --- | --- | --- |
`;

/** A command as the manifest has it, with its title. */
export interface NamedCommand {
  readonly id: string;
  readonly title: string;
}

/** The page of all commands. */
export function commandPage(commands: readonly NamedCommand[], seen: ReadonlyMap<Situation, SituationSeen>): string {
  return `${HEAD}${commands.map((command) => `${row(command, seen)}\n`).join("")}`;
}

/** Returns true if the palette of a situation lists a command. */
export function isOffered({ palette }: SituationSeen, { id }: NamedCommand): boolean {
  return palette.includes(id);
}

function row(command: NamedCommand, seen: ReadonlyMap<Situation, SituationSeen>): string {
  const offered = situations.filter((situation) => {
    const there = seen.get(situation);
    return there !== undefined && isOffered(there, command);
  });
  const texts = new Map<string, string[]>();
  for (const situation of situations) {
    const text = textOf(seen.get(situation)?.shown[command.id] ?? []);
    texts.set(text, [...(texts.get(text) ?? []), situationNames[situation].letter]);
  }
  const parts = [...texts].map(([text, letters]) => (texts.size === 1 ? text : `**${letters.join(" ")}** ${text}`));
  const letters = offered.map((situation) => situationNames[situation].letter).join(" ");
  return `| ${command.title} | ${letters === "" ? "–" : letters} | ${parts.join("<br>")} |`;
}

/** Durations vary, so progress is reported only if nothing else was seen. */
function textOf(seen: readonly Seen[]): string {
  const ended = seen.filter(({ by }) => by !== "progress");
  return (
    (ended.length === 0 ? seen.slice(0, 1) : ended).map(({ by, words }) => `${by}: ${steady(words)}`).join(" → ") ||
    "nothing"
  );
}

/** The words without what is another one each time. */
function steady(words: string): string {
  return words
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:…")
    .replaceAll(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, "T…")
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll(/\s+/g, " ");
}
