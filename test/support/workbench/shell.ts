import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";

const END = "---- end of the command ----";

/** One shell: what a command sets, the next one finds. */
export class Shell implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  #printed = "";

  constructor(environment: { readonly [name: string]: string }) {
    const path = ["node_modules/.bin", process.env.PATH].join(delimiter);
    const env = { ...process.env, ...environment, PATH: path, NO_COLOR: "1", FORCE_COLOR: undefined };
    this.#child = spawn("bash", ["--noprofile", "--norc"], { env });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#printed += text;
      });
    }
  }

  /** Runs a command to its end. @returns what it printed */
  async run(command: string): Promise<string> {
    this.#printed = "";
    this.#child.stdin.write(`{ ${command}\n} 2>&1 </dev/null; printf '%s\\n' '${END}'\n`);
    while (!this.#printed.endsWith(`${END}\n`)) await once(this.#child.stdout, "data");
    return this.#printed.slice(0, -END.length - 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.stdin.end();
    await ended;
  }
}
