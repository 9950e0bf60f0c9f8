import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Clock } from "@finality/client/gateway";
import { byKind, object, type Read, text, tryRead } from "@finality/tron/read";
import { walletWords } from "../../labels/wallet-words.ts";
import type { WalletAnswer, WalletPosts, WalletReplies, WalletTask } from "../../webview-messages/wallet.ts";
import type { Reply } from "./loopback-server.ts";

/** How a session ended. */
export type WalletOutcome =
  | { readonly kind: "answered"; readonly answer: WalletAnswer }
  /** What came back is not what was asked for: why, as a sentence. */
  | { readonly kind: "unfit"; readonly reason: string }
  /** The bytes could not be handed out. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** Nobody has the page open any more. */
  | { readonly kind: "closed" };

export interface WalletSessionOptions {
  readonly task: WalletTask;
  /** True if the user types the secret into the page; otherwise it is in the address of the page. */
  readonly isTyped: boolean;
  readonly clock: Clock;
  /** Why the account of a wallet is not the one that is wanted, as a sentence. */
  readonly accountFault: (account: string) => string | undefined;
  /**
   * The transaction as JSON, once it is written down that it leaves.
   * @throws what becomes the end of the session
   */
  readonly handOut: () => Promise<string>;
  /** Why an answer does not fit, as a sentence. */
  readonly answerFault: (answer: WalletAnswer) => Promise<string | undefined>;
  /** Something happened that the person is told while they wait, as a sentence. */
  readonly noticed: (sentence: string) => void;
  /** The wallet signed after the end: that signature is thrown away. */
  readonly cameLate: () => void;
}

/** A page that is loaded anew has lost its token: then nobody comes back. */
const GONE_MS = 8_000;
/** Wrong codes that end a session. */
const MOST_WRONG_CODES = 3;
/** Tunnels cut what is silent for longer. */
const POLL_MS = 25_000;

const secret = object({ secret: text });
const account = object({ token: text, account: text });
const token = object({ token: text });
const answered = object({
  token: text,
  answer: byKind({
    connected: object({ account: text }),
    signed: object({ signature: text, txId: text }),
    refused: object({ message: text }),
  }),
});

type Paths = keyof WalletPosts;
type Answering<P extends Paths> = { readonly status: 200; readonly body: WalletReplies[P] } | Reply;

/**
 * Requests that one page may make, and how often. The secret counts once: the page exchanges it for a token that only
 * the page knows. If the secret is used twice, somebody else has it, and the session ends. The bytes leave once, and
 * the first answer is the last.
 */
export class WalletSession {
  readonly #options: WalletSessionOptions;
  readonly #ended = Promise.withResolvers<WalletOutcome>();
  readonly #over = new AbortController();
  #token: string | undefined;
  #phase: "new" | "open" | "handing" | "out" | "answering" = "new";
  #handedOut = false;
  #sentence: string | undefined;
  #watching = 0;
  #visits = 0;
  #wrongCodes = 0;

  /** Lets one page in: part of its address, or a code that the user types. */
  readonly secret: string;

  /** Resolves once, unless somebody ended it. */
  readonly outcome: Promise<WalletOutcome> = this.#ended.promise;

  constructor(options: WalletSessionOptions) {
    this.#options = options;
    this.secret = options.isTyped ? randomCode() : randomText();
  }

  /** Whether the bytes left. */
  get handedOut(): boolean {
    return this.#handedOut;
  }

  get posts(): ReadonlyMap<string, (body: unknown, left: AbortSignal) => Promise<Reply>> {
    const routes: { readonly [P in Paths]: (body: unknown, left: AbortSignal) => Promise<Reply> } = {
      "/open": async (body) => this.#open(body),
      "/bytes": (body) => this.#bytes(body),
      "/answer": (body) => this.#answer(body),
      "/wait": (body, left) => this.#wait(body, left),
    };
    return new Map(Object.entries(routes));
  }

  /** Nothing is taken any more. @param sentence - what the page shows then */
  end(sentence: string): void {
    this.#sentence ??= sentence;
    this.#over.abort();
  }

  #open(body: unknown): Answering<"/open"> {
    const asked = tryRead(secret, body);
    if (asked === undefined) return stranger();
    if (this.#sentence !== undefined) return gone(this.#sentence);
    if (!isSame(asked.secret, this.secret)) return this.#refuseSecret();
    if (this.#phase !== "new") return this.#compromised(walletWords.usedTwice);
    this.#phase = "open";
    this.#token = randomText();
    void this.#closesSoon();
    return { status: 200, body: { token: this.#token, task: this.#options.task } };
  }

  #refuseSecret(): Answering<"/open"> {
    if (!this.#options.isTyped) return stranger();
    this.#wrongCodes++;
    return this.#wrongCodes < MOST_WRONG_CODES
      ? { status: 403, body: { sentence: walletWords.wrongCode } }
      : this.#compromised(walletWords.wrongCodes);
  }

  #compromised(reason: string): Answering<"/open"> {
    this.#finish({ kind: "unfit", reason }, reason);
    return gone(reason);
  }

  async #bytes(body: unknown): Promise<Answering<"/bytes">> {
    const asked = this.#own(account, body);
    if (asked === undefined) return stranger();
    if (this.#sentence !== undefined) return gone(this.#sentence);
    if (this.#phase !== "open" || this.#options.task.kind !== "sign") return gone(walletWords.bytesOnce);
    const fault = this.#options.accountFault(asked.account);
    if (fault !== undefined) {
      this.#options.noticed(fault);
      return conflict(fault);
    }
    this.#phase = "handing";
    const transaction = await this.#handOut();
    const isOver = transaction === undefined || this.#sentence !== undefined;
    return isOver ? gone(this.#sentence ?? walletWords.notHandedOut) : { status: 200, body: { transaction } };
  }

  async #handOut(): Promise<string | undefined> {
    try {
      const transaction = await this.#options.handOut();
      this.#phase = "out";
      this.#handedOut = true;
      return transaction;
    } catch (error) {
      this.#finish({ kind: "failed", error }, walletWords.notHandedOut);
      return undefined;
    }
  }

  async #answer(body: unknown): Promise<Answering<"/answer">> {
    const asked = this.#own(answered, body);
    if (asked === undefined) return stranger();
    const { answer } = asked;
    if (this.#phase === "answering") return gone(walletWords.answeredBefore);
    const isLate = this.#sentence !== undefined;
    if (isLate && answer.kind === "signed" && this.#phase === "out") this.#options.cameLate();
    if (!this.#isDue(answer)) return conflict(walletWords.notAsked);
    this.#phase = "answering";
    if (isLate) return gone(answer.kind === "signed" ? walletWords.late : walletWords.over);
    const reason = await this.#options.answerFault(answer);
    const sentence = reason ?? walletWords.taken[answer.kind];
    this.#finish(reason === undefined ? { kind: "answered", answer } : { kind: "unfit", reason }, sentence);
    return reason === undefined ? { status: 200, body: { sentence } } : conflict(sentence);
  }

  /** A wallet may refuse at any time; it signs what it was given, and tells its account where that was asked. */
  #isDue({ kind }: WalletAnswer): boolean {
    if (kind === "refused") return true;
    return kind === "signed" ? this.#phase === "out" : this.#options.task.kind === "connect";
  }

  /** Answers when it is over, or when a tunnel would cut it: as long as somebody waits, the page is there. */
  async #wait(body: unknown, left: AbortSignal): Promise<Answering<"/wait">> {
    if (this.#own(token, body) === undefined) return stranger();
    if (this.#sentence !== undefined) return { status: 200, body: { sentence: this.#sentence } };
    this.#watching++;
    this.#visits++;
    await this.#options.clock.sleep(POLL_MS, AbortSignal.any([left, this.#over.signal])).catch(() => undefined);
    this.#watching--;
    if (this.#watching === 0) void this.#closesSoon();
    return { status: 200, body: { sentence: this.#sentence ?? null } };
  }

  async #closesSoon(): Promise<void> {
    const before = this.#visits;
    await this.#options.clock.sleep(GONE_MS, this.#over.signal).catch(() => undefined);
    if (this.#visits === before) this.#finish({ kind: "closed" }, walletWords.over);
  }

  #finish(outcome: WalletOutcome, sentence: string): void {
    if (this.#sentence !== undefined) return;
    this.#ended.resolve(outcome);
    this.end(sentence);
  }

  /** What the page that was let in asks; undefined where somebody else asks, or it does not fit. */
  #own<T extends { readonly token: string }>(read: Read<T>, body: unknown): T | undefined {
    const asked = tryRead(read, body);
    return asked !== undefined && this.#token !== undefined && isSame(asked.token, this.#token) ? asked : undefined;
  }
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function randomCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** Takes as long for every guess. */
function isSame(guess: string, wanted: string): boolean {
  const digest = (it: string): Buffer => createHash("sha256").update(it).digest();
  return timingSafeEqual(digest(guess), digest(wanted));
}

function stranger(): Reply {
  return { status: 403, body: { sentence: walletWords.stranger } };
}

function gone(sentence: string): Reply {
  return { status: 410, body: { sentence } };
}

function conflict(sentence: string): Reply {
  return { status: 409, body: { sentence } };
}
