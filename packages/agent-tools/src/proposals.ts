import { randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChainId } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { bytesToHex, type Hex, sha256 } from "@finality/tron/primitives";
import {
  hashOf,
  matching,
  object,
  ReadError,
  type ReadOf,
  text,
  tryRead,
  tryReadJson,
  wholeNumber,
} from "@finality/tron/read";
import { type Intent, type IntentOf, readIntent } from "@finality/tron/transaction";

/** Kinds of transactions that an agent can propose. */
export type ProposedIntent = IntentOf<"transfer" | "token-transfer" | "contract-call">;

const KINDS: readonly string[] = [
  "transfer",
  "token-transfer",
  "contract-call",
] satisfies readonly ProposedIntent["kind"][];

/** Most open proposals, and most used and discarded ones that stay. */
export const MOST_OPEN = 20;
const MOST_MARKS = 500;
/** Largest file of a proposal, bytes. */
const LARGEST = 64 * 1024;
const LONGEST_AGENT = 60;
const LONGEST_NOTE = 500;

const VERSION = 1;
const proposalId = matching<string>(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "the id of a proposal");
const isProposed = (intent: Intent): intent is ProposedIntent => KINDS.includes(intent.kind);

const proposedIntent = (value: unknown): ProposedIntent => {
  const intent = readIntent(value);
  if (isProposed(intent) && intent.permissionId === undefined) return intent;
  throw new ReadError("an intent that can be proposed");
};
const chainId = hashOf<ChainId>();
const version = (value: unknown): typeof VERSION => {
  if (value === VERSION) return VERSION;
  throw new ReadError("version 1");
};
const short = (longest: number) => (value: unknown) => {
  const read = text(value);
  if (read.length > longest) throw new ReadError(`a text of at most ${longest} characters`);
  return read;
};

const readProposal = object(
  {
    v: version,
    id: proposalId,
    /** Local clock, Unix ms. */
    at: wholeNumber,
    /** Name that the agent calls itself. */
    agent: short(LONGEST_AGENT),
    /** Name of the network. */
    network: short(LONGEST_AGENT),
    intent: proposedIntent,
    /** Reason that the agent gives. */
    note: short(LONGEST_NOTE),
  },
  /** Genesis block of the network, as the gateway of the agent reported it. */
  { chain: chainId },
);

/** Transaction that an agent proposes. Everything in it is a claim of the agent. */
export type Proposal = ReadOf<typeof readProposal>;

/** Proposal with the hash of its file: an approval is bound to it. */
export interface StoredProposal extends Proposal {
  /** SHA-256 of the text of the file. */
  readonly hash: Hex;
}

/** Marks of a proposal that is being signed, was signed, or was discarded. It is not open. */
const MARKS = ["used", "discarded"] as const;
type Mark = (typeof MARKS)[number];

/** Proposals in a folder that the command line and the editor share, one file each. Both parse what they read. */
export class ProposalFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the open proposals, oldest first. Files that are no proposals are ignored. */
  async list(): Promise<readonly StoredProposal[]> {
    const names = await this.#names();
    const read = await Promise.all(
      openIn(names)
        .slice(0, MOST_OPEN)
        .map((it) => this.#read(it)),
    );
    return read
      .flatMap((it) => it ?? [])
      .toSorted((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1));
  }

  /** Returns whether a proposal is open, used or discarded; undefined if the folder does not have it. */
  async stateOf(id: string): Promise<"open" | Mark | undefined> {
    const names = await this.#names();
    return MARKS.find((it) => names.includes(`${id}.${it}`)) ?? (names.includes(`${id}.json`) ? "open" : undefined);
  }

  /** Stores a new proposal. @throws {ChainError} `PROPOSALS_FULL`, `PROPOSAL_REFUSED` it is too large */
  async add(content: Omit<Proposal, "v" | "id">): Promise<StoredProposal> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await this.#names();
    if (openIn(names).length >= MOST_OPEN) throw new ChainError("PROPOSALS_FULL", { most: MOST_OPEN });
    await this.#removeOldest(names);
    const id = randomUUID();
    const json = printProposal({ v: VERSION, id, ...content });
    const stored = parseProposal(json, id);
    if (stored === undefined) throw new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "large" });
    // Readers never see half of a file.
    await writeFile(join(this.#folder, `${id}.new`), json, { flag: "wx", mode: 0o600 });
    await rename(join(this.#folder, `${id}.new`), join(this.#folder, `${id}.json`));
    return stored;
  }

  /**
   * Marks a reviewed proposal as used, for exactly one caller. Later reviews of it are refused.
   *
   * @throws {ChainError} `PROPOSAL_REFUSED` it was used or discarded, or is not the reviewed one
   */
  async claim({ id, hash }: Pick<StoredProposal, "id" | "hash">): Promise<void> {
    const gone = () => new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "gone" });
    if ((await this.stateOf(id)) !== "open") throw gone();
    // The name can be created once, so of two windows one claims the proposal.
    await writeFile(join(this.#folder, `${id}.used`), "", { flag: "wx", mode: 0o600 }).catch(() => {
      throw gone();
    });
    if ((await this.#read(id))?.hash === hash) return;
    await this.release(id);
    throw new ChainError("PROPOSAL_REFUSED", { proposal: id, why: "changed" });
  }

  /** Reopens a claimed proposal whose transaction was not signed. */
  async release(id: string): Promise<void> {
    await rm(join(this.#folder, `${id}.used`), { force: true });
  }

  /** Discards a proposal. It cannot be used afterwards. */
  async discard(id: string): Promise<void> {
    await writeFile(join(this.#folder, `${proposalId(id)}.discarded`), "", { mode: 0o600 });
    await rm(join(this.#folder, `${id}.json`), { force: true });
  }

  async #names(): Promise<readonly string[]> {
    return (await readdir(this.#folder).catch(() => [])).toSorted();
  }

  async #read(id: string): Promise<StoredProposal | undefined> {
    const path = join(this.#folder, `${id}.json`);
    try {
      const facts = await lstat(path);
      if (!facts.isFile() || facts.size > LARGEST) return undefined;
      return parseProposal(await readFile(path, "utf8"), id);
    } catch {
      return undefined;
    }
  }

  /** Removes the oldest used and discarded proposals. The journal has the ids of the used ones. */
  async #removeOldest(names: readonly string[]): Promise<void> {
    const marks = names.filter((it) => isMark(it));
    const dated = await Promise.all(
      marks.map(async (name) => {
        const facts = await lstat(join(this.#folder, name)).catch(() => undefined);
        return { id: idOf(name), at: facts?.mtimeMs ?? 0 };
      }),
    );
    const surplus = dated
      .toSorted((left, right) => left.at - right.at)
      .slice(0, Math.max(0, marks.length - MOST_MARKS));
    for (const { id } of surplus)
      for (const end of ["json", ...MARKS]) await rm(join(this.#folder, `${id}.${end}`), { force: true });
  }
}

function idOf(name: string): string {
  return name.replace(/\.[a-z]+$/, "");
}

function isMark(name: string): boolean {
  return MARKS.some((it) => name.endsWith(`.${it}`));
}

/** Returns the ids of proposals without a mark. */
function openIn(names: readonly string[]): readonly string[] {
  const marked = new Set(names.filter(isMark).map(idOf));
  return names
    .filter((it) => it.endsWith(".json"))
    .map(idOf)
    .filter((it) => tryRead(proposalId, it) !== undefined && !marked.has(it));
}

/** Returns the text of a proposal: amounts are decimal texts. */
function printProposal(proposal: Proposal): string {
  return JSON.stringify(proposal, (_key, value) => (typeof value === "bigint" ? String(value) : value), 2);
}

/** Parses the text of a proposal; undefined if it is none. */
function parseProposal(json: string, id: string): StoredProposal | undefined {
  if (Buffer.byteLength(json) > LARGEST) return undefined;
  const proposal = tryReadJson(readProposal, json);
  if (proposal === undefined || proposal.id !== id) return undefined;
  return { ...proposal, hash: bytesToHex(sha256(Buffer.from(json, "utf8"))) };
}

/** Returns the hash of an intent without the choices that the user makes in the review: fee limit and permission. */
export function intentHash(intent: Intent): Hex {
  const { permissionId: _permission, ...rest } = { ...intent, ...("feeLimit" in intent && { feeLimit: 0n }) };
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const json = JSON.stringify(fields, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  return bytesToHex(sha256(Buffer.from(json, "utf8")));
}
