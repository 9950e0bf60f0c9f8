import type { Situation } from "./makings.ts";
import type { Seen } from "./seen.ts";
import type { SituationSeen } from "./windows.ts";

/** The situations, each by its letter. */
export const situationNames: Readonly<Record<Situation, { readonly letter: string; readonly what: string }>> = {
  empty: { letter: "E", what: "an empty window" },
  folder: { letter: "F", what: "a folder with a text file" },
  project: { letter: "P", what: "a project with contracts, call files and tronbox.js, and no network" },
  own: {
    letter: "T",
    what: "the same, trusted, with a user's network and a watch-only address, and no account that can sign",
  },
  local: {
    letter: "L",
    what: "the same with the local chain running; it has a contract, a final payment, one with an unknown outcome, an expected payment, a snapshot, and a user's key",
  },
  untrusted: {
    letter: "R",
    what: "a network with real money and a JWT key, and a watch-only address, in Restricted Mode",
  },
};

const situations = Object.keys(situationNames) as Situation[];

const HEAD = `# Every command in five situations

This page shows what each palette command does if every prompt is answered with Escape. The situations are:

${situations.map((situation) => `- **${situationNames[situation].letter}**: ${situationNames[situation].what}`).join("\n")}

T is an additional one: it shows what a trusted window offers before there is a key. Each command runs in the situation as it was set up; changes of a command are undone before the
next one.

*offered*: the situations in which the palette lists the command. Keybindings and other extensions can call a command that is not listed; it reports why it cannot work.
The extension is not activated in an empty window or a plain folder. Before activation, the palette lists the same commands as without any setup, as in E and F. If the settings name a
network, it lists every command that may work there; calling one activates the extension.
\`test/browser/five-situations.test.ts\` creates the table from windows that it opens and compares it with this page; with \`FINALITY_WRITE=1\` it writes the page.

| command | offered | result |
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
