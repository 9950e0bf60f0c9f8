/** A command line and its output. */
export interface Command {
  readonly text: string;
  /** `…` stands for any text. */
  readonly printed: string;
}

/** One fenced example of a document. */
export interface Example {
  /** The first line of it in the document, from 1 on. */
  readonly line: number;
  readonly commands: readonly Command[];
}

/** The examples of a document: fences marked `console`, in which commands begin with `$ ` and go on with `> `. */
export function examplesIn(document: string): readonly Example[] {
  const blocks = document.matchAll(/^```console\n(.*?)^```$/gms);
  return [...blocks].map(({ index, 1: text = "" }) => ({
    line: document.slice(0, index).split("\n").length + 1,
    commands: commandsIn(text),
  }));
}

function commandsIn(text: string): readonly Command[] {
  const parts = text.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const lines = part.trimEnd().split("\n");
    const end = lines.findIndex((line, index) => index > 0 && !line.startsWith("> "));
    const typed = lines.slice(0, end < 0 ? lines.length : end);
    return {
      text: typed.map((line, index) => (index === 0 ? line : line.slice("> ".length))).join("\n"),
      printed: end < 0 ? "" : lines.slice(end).join("\n"),
    };
  });
}

/** Returns true if a command printed the documented output. */
export function isPrinted(expected: string, actual: string): boolean {
  const parts = expected.split("…").map((it) => it.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*?")}$`, "s").test(actual.trimEnd());
}
