import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { systemActuators } from "../../../packages/local-chain/src/actuators/actuators.ts";
import type { Route } from "../../../packages/local-chain/src/routes/route.ts";
import { nodeEndpoints } from "../../../packages/local-chain/src/routes/route-table.ts";
import { contractTypes } from "../../../packages/tron/src/transaction/contract-types.ts";

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

/** The tables of the embedded chain's document that are made from the code, as lines of Markdown. */

/** Paths of each API with their reactions to GET and POST. */
export function endpointTable(): string[] {
  const names = [...new Set([...nodeEndpoints.keys()].map((it) => it.replace("/walletsolidity/", "/wallet/")))];
  return [
    "| endpoint | full node | solidity node | GET | POST |",
    "| --- | --- | --- | --- | --- |",
    ...names.sort(byWord).map((path) => endpointRow(path, nodeEndpoints.get(path))),
  ];
}

function endpointRow(path: string, route: Route | undefined): string {
  if (route === undefined) throw new TypeError(`Only the solidity node has ${path}.`);
  const solidity = nodeEndpoints.has(path.replace("/wallet/", "/walletsolidity/"));
  const name = path.replace("/wallet/", "");
  return `| \`${name}\` | yes | ${solidity ? "yes" : ""} | ${shown(route.get)} | ${shown(route.post)} |`;
}

function shown(handler: Route["get"] | Route["post"]): string {
  if (handler === "refused") return "405";
  return handler === "empty" ? "empty" : "yes";
}

/** Path that builds each type of transaction, and support by the chain. */
export function contractTypeTable(): string[] {
  const builders = new Map([...nodeEndpoints.values()].map((it) => [it.builds, it.name]));
  return [
    "| contract type | built by | executed |",
    "| --- | --- | --- |",
    ...contractTypes.map(({ name }) => {
      const path = builders.get(name);
      return `| ${name} | ${path === undefined ? "" : `\`${path}\``} | ${name in systemActuators ? "yes" : ""} |`;
    }),
  ];
}

function byWord(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}
