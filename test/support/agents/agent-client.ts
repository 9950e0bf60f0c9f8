import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { isJsonObject, type JsonObject, parseJson } from "../../../packages/tron/src/primitives/json.ts";

const PROGRAM = new URL("../../../packages/cli/src/main.ts", import.meta.url).pathname;

/** Result of a tool, as a model reads it. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly json: JsonObject;
}

/** Agent that runs `finality mcp` and calls its tools over standard input and output. */
export class AgentClient {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async start(args: readonly string[], options: { readonly env: Record<string, string>; readonly cwd: string }) {
    const client = new Client({ name: "Scout", version: "1.0.0" });
    const { PATH = "" } = process.env;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, "mcp", ...args],
        env: { PATH, ...options.env },
        cwd: options.cwd,
        stderr: "pipe",
      }),
    );
    return new AgentClient(client);
  }

  async tools(): Promise<readonly { readonly name: string }[]> {
    return (await this.#client.listTools()).tools;
  }

  async call(name: string, args: JsonObject = {}): Promise<ToolAnswer> {
    const answer = await this.#client.callTool({ name: `finality_${name}`, arguments: { ...args } });
    const [content] = answer.content as readonly { readonly text?: string }[];
    const text = content?.text ?? "";
    const json = text.startsWith("{") ? parseJson(text) : {};
    return { isError: answer.isError === true, text, json: isJsonObject(json) ? json : {} };
  }

  /** Returns the result of a call that has to succeed. */
  async result(name: string, args: JsonObject = {}): Promise<JsonObject> {
    const { isError, text, json } = await this.call(name, args);
    assert.ok(!isError, text);
    return json;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
