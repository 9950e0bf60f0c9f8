import { isJsonObject, type JsonObject } from "../../../packages/tron/src/primitives/json.ts";
import { TEN_PATHS } from "../gateway/minimal-gateway.ts";
import { dice } from "../random/dice.ts";
import type { HonestChain, Reply } from "../simulated-host/honest-chain.ts";
import type { ChainParts } from "../simulated-host/load-sources.ts";
import { changeAtRandom, EditMemory, edits } from "./answer-edits.ts";
import type { GatewayBehavior } from "./behavior.ts";
import { ForgedBlocks } from "./forged-blocks.ts";

const BROADCAST = "/wallet/broadcasttransaction";
/** One gateway in this many serves only the ten endpoints of the gateway document. */
const ONE_IN = 3;
const REFUSALS = [
  ["CONTRACT_VALIDATE_ERROR", "Contract validate error : Validate TransferContract error, balance is not sufficient."],
  ["TAPOS_ERROR", "Tapos check error."],
  ["TRANSACTION_EXPIRATION_ERROR", "Transaction expired"],
  ["SIGERROR", "Validate signature error: sig error"],
  ["BANDWITH_ERROR", "Account resource insufficient error."],
  ["SERVER_BUSY", "Server busy."],
] as const;

/** A gateway in front of an honest chain that forges answers. */
export class AdversarialGateway {
  readonly #chain: HonestChain;
  readonly #other: HonestChain;
  readonly #blocks: ForgedBlocks;
  readonly #parts: ChainParts;
  readonly #memory: EditMemory;
  readonly #roll: (bound: number) => number;
  /** True if it serves only the ten endpoints of the gateway document. */
  readonly #hasTenPaths: boolean;
  /** Broadcast bodies that were accepted and not relayed yet. */
  #held: string[] = [];
  #behavior: GatewayBehavior;

  constructor(
    chain: HonestChain,
    other: HonestChain,
    parts: ChainParts,
    { behavior, seed }: { behavior: GatewayBehavior; seed: number },
  ) {
    this.#chain = chain;
    this.#other = other;
    this.#parts = parts;
    this.#behavior = behavior;
    this.#roll = dice(seed);
    this.#hasTenPaths = seed % ONE_IN === 0;
    this.#memory = new EditMemory(() => chain.chain.solid.id);
    this.#blocks = new ForgedBlocks(chain.chain, parts.sealBlock, behavior);
  }

  get behavior(): GatewayBehavior {
    return this.#behavior;
  }

  changeBehavior(behavior: GatewayBehavior): void {
    this.#behavior = behavior;
    this.#blocks.change(behavior);
  }

  /** Relays the stored broadcasts. */
  async release(): Promise<void> {
    for (const body of this.#held.splice(0)) await this.#chain.ask(BROADCAST, body);
  }

  async answer(path: string, body: string, headers: string): Promise<Reply> {
    if (this.#hasTenPaths && !TEN_PATHS.includes(path)) return { status: 404, body: "Not Found" };
    const reported = path === BROADCAST ? await this.#broadcast(body) : await this.#read(path, body);
    const isChanged = this.#behavior.noise > 0 && this.#roll(1_000) < this.#behavior.noise * 1_000;
    return isChanged ? changeAtRandom(reported, this.#roll, headers) : reported;
  }

  async #read(path: string, body: string): Promise<Reply> {
    const isSolid = path.startsWith("/walletsolidity/");
    if (isSolid && this.#behavior.solid === "other-chain") return await this.#other.ask(path, body);
    const reply = await this.#chain.ask(path, body, (view) => this.#blocks.view(view, path));
    const edit = edits[path];
    if (edit === undefined) return reply;
    const [answer, question] = [reply.body, body].map((it): unknown => JSON.parse(it));
    if (!isJsonObject(answer) || !isJsonObject(question)) return reply;
    return { ...reply, body: JSON.stringify(edit(answer, this.#behavior, question, this.#memory)) };
  }

  /** Relays stored bytes first: a new transaction may rely on their absence. */
  async #broadcast(body: string): Promise<Reply> {
    const { broadcast } = this.#behavior;
    await this.release();
    const txid = String((JSON.parse(body) as JsonObject).txID);
    if (broadcast === "swallow-late" || broadcast.endsWith("-late")) this.#held.push(body);
    const honest =
      broadcast === "swallow" || this.#held.includes(body) ? undefined : await this.#chain.ask(BROADCAST, body);
    this.#blocks.invent(this.#parts.packTransaction(body, "4.8.0").transaction);
    switch (broadcast) {
      case "true":
        return honest ?? ok({});
      case "swallow":
      case "swallow-late":
        return ok({ result: true, txid });
      case "refuse":
      case "refuse-late":
        return this.#refusal(txid, 200);
      case "refuse-4xx":
      case "refuse-4xx-late":
        return this.#refusal(txid, [400, 401, 404, 413][this.#roll(4)] ?? 400);
      case "silent":
        return { status: 502, body: "<html>Bad gateway</html>" };
      case "other":
        return ok({ result: true, txid: "ab".repeat(32) });
      case "known":
        return ok({ code: "DUP_TRANSACTION_ERROR", txid, message: hex("Dup transaction.") });
    }
  }

  #refusal(txid: string, status: number): Reply {
    const [code, message] = REFUSALS[this.#roll(REFUSALS.length)] ?? REFUSALS[0];
    return { status, body: JSON.stringify({ code, txid, message: hex(message) }) };
  }
}

function ok(body: JsonObject): Reply {
  return { status: 200, body: JSON.stringify(body) };
}

function hex(text: string): string {
  return Buffer.from(text, "utf8").toString("hex");
}
