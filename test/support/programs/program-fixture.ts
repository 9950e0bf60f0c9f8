import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { CommandId } from "../../../src/host/contributions.ts";
import type { Editor } from "../simulated-host/simulated-editor.ts";

/** A part of what a person has, which a command may change. */
const PARTS = [
  "accounts",
  "names",
  "networks",
  "active network",
  "credentials",
  "settings",
  "files",
  "journal",
  "incoming",
  "contracts",
  "broadcasts",
] as const;
export type Part = (typeof PARTS)[number];

export type Standing = { readonly [P in Part]: string };

/** Locations of one window's data. */
interface WindowOfPrograms {
  readonly editor: Editor;
  readonly state: ReadonlyMap<string, unknown>;
  readonly secrets: ReadonlyMap<string, string>;
  /** Stored state of the extension. */
  readonly storage: string;
  /** The workspace. */
  readonly workspace: string;
  readonly broadcasts: () => number;
}

/** State that comes from the chain, not from a decision of the person. */
const OBSERVED =
  /^(?:head-time|seen-in-pool|seen-in-head|lost-from-head|solidified|outcome-told|not-found|broadcast-answered)$/;
/** Notes of the state that decide nothing, and what is a part of its own. */
const NOTES =
  /^finality\.(?:has\w+|isWatching|listed|jwtKeysLastUsed|accounts|accounts\.written|namesSeen|localChainChosen|storageMark)$/;
/** Stored state about chains and tokens. */
const PINS = /chains\.jsonl|token-decimals\.jsonl|notices\.jsonl|journal|\/accounts\/|\/incoming\/|\/contracts\//;
const OWN_SETTINGS = ["finality.networks", "finality.activeNetwork", "finality.addressBook"];

/** Returns everything that a person has now. */
export function whatStands({ editor, state, secrets, storage, workspace, broadcasts }: WindowOfPrograms): Standing {
  const settings = [...editor.settings].filter(([id]) => !OWN_SETTINGS.includes(id));
  const kept = [...state].filter(([key]) => !NOTES.test(key));
  const files = [...filesIn(storage).filter(([name]) => !PINS.test(name)), ...filesIn(workspace)];
  return {
    accounts: print([filesIn(storage, "accounts"), state.get("finality.accounts")]),
    names: print([editor.settings.get("finality.addressBook"), state.get("finality.namesSeen")]),
    networks: print(editor.settings.get("finality.networks")),
    "active network": print([editor.settings.get("finality.activeNetwork"), state.get("finality.localChainChosen")]),
    // It tells whether the editor keeps secrets, and is none.
    credentials: print([...secrets].filter(([key]) => key !== "finality.storageMark").sort()),
    settings: print([settings.sort(), kept.sort()]),
    files: print(files),
    journal: print(decisionsIn(join(storage, "journal.jsonl"))),
    incoming: print(decisionsIn(join(storage, "incoming", "payments.jsonl"))),
    contracts: print(decisionsIn(join(storage, "contracts", "contracts.jsonl"))),
    broadcasts: String(broadcasts()),
  };
}

/** Returns the parts that are not the same. */
export function differences(before: Standing, after: Standing): readonly Part[] {
  return PARTS.filter((it) => before[it] !== after[it]);
}

function decisionsIn(file: string): readonly unknown[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((it) => it.trim() !== "");
  return lines.filter((it) => !OBSERVED.test(String((JSON.parse(it) as { readonly kind?: unknown }).kind)));
}

function filesIn(folder: string, below = ""): readonly (readonly [name: string, hash: string])[] {
  const path = join(folder, below);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name))
    .sort()
    .map((it) => [it, createHash("sha256").update(readFileSync(it)).digest("hex")]);
}

function print(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Fate of broadcasts: they go through, get no answer, or are refused. */
type Broadcasts = "pass" | "lost" | "refused";

/** A gateway in front of a chain that counts broadcasts and can lose or refuse them. */
export class CountingGateway {
  readonly #server: Server;
  broadcasts = 0;
  mode: Broadcasts = "pass";

  private constructor(behind: string) {
    this.#server = createServer(async (request, response) => {
      const { method = "POST", url = "" } = request;
      const body = await buffer(request);
      // The checklist of a connection asks the path with nothing.
      const isBroadcast = /broadcast/.test(url) && body.includes("raw_data_hex");
      if (isBroadcast) this.broadcasts++;
      if (isBroadcast && this.mode === "lost") return void request.socket.destroy();
      response.setHeader("content-type", "application/json");
      if (isBroadcast && this.mode === "refused") return void response.end(REFUSED);
      const sent = method === "GET" ? {} : { body: Buffer.from(body) };
      const answer = await fetch(`${behind}${url}`, {
        method,
        headers: { "content-type": "application/json" },
        ...sent,
      });
      response.statusCode = answer.status;
      response.end(await answer.text());
    });
  }

  static async open(behind: string): Promise<CountingGateway> {
    const gateway = new CountingGateway(behind);
    await new Promise<void>((listening) => gateway.#server.listen(0, "127.0.0.1", listening));
    return gateway;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

const REFUSED = JSON.stringify({ result: false, code: "SIGERROR", message: Buffer.from("sig error").toString("hex") });

/** The id of a command without `finality.`. */
export type CommandName = NameOf<CommandId>;

type NameOf<Id extends CommandId> = Id extends `finality.${infer Name}` ? Name : never;
