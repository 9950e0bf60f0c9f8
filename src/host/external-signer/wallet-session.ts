import { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import type { Clock } from "@finality/client/gateway";
import { walletMessages } from "@finality/client/labels";
import { byKind, object, type Read, text, tryRead } from "@finality/tron/read";
import type { WalletAnswer, WalletPosts, WalletReplies, WalletTask } from "../../webview-messages/wallet.ts";
import type { Reply } from "./loopback-server.ts";

/** Result of a session. */
export type WalletOutcome =
  | { readonly kind: "answered"; readonly answer: WalletAnswer }
  /** The answer does not fit the request; the reason is a sentence. */
  | { readonly kind: "unfit"; readonly reason: string }
  /** The bytes could not be handed out. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** The page was closed. */
  | { readonly kind: "closed" };

export interface WalletSessionOptions {
  readonly task: WalletTask;
  /** True if the user types the secret into the page; otherwise the page's URL contains it. */
  readonly isTyped: boolean;
  readonly clock: Clock;
  /** Returns why the wallet's account is not the requested one. */
  readonly accountFault: (account: string) => string | undefined;
  /**
   * Records that the transaction is handed out and returns it as JSON.
   *
   * @throws the error that ends the session
   */
  readonly handOut: () => Promise<string>;
  /** Returns why an answer does not fit. */
  readonly answerFault: (answer: WalletAnswer) => Promise<string | undefined>;
  /** Shows a message while the user waits. */
  readonly noticed: (message: string) => void;
  /** Called when the wallet signs after the end: that signature is discarded. */
  readonly cameLate: () => void;
}

/** Time after which a page counts as closed; ms. A reloaded page has lost its token. */
const GONE_MS = 8_000;
/** Wrong codes that end a session. */
const MOST_WRONG_CODES = 3;
/** Longest poll; ms. Tunnels close connections that are silent for longer. */
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
 * Requests that one page may make, and how often. The secret works once: the page exchanges it for a token that only
 * the page knows. If it is used twice, it has leaked and the session ends. The bytes are handed out once, and the first
 * answer is final.
 */
export class WalletSession {
  readonly #options: WalletSessionOptions;
  readonly #ended = Promise.withResolvers<WalletOutcome>();
  readonly #over = new AbortController();
  #token: string | undefined;
  #phase: "new" | "open" | "handing" | "out" | "answering" = "new";
  #handedOut = false;
  #message: string | undefined;
  #watching = 0;
  #visits = 0;
  #wrongCodes = 0;

  /** Secret that admits one page: part of its URL, or a code that the user types. */
  readonly secret: string;

  /** Resolves with the result, unless `end` is called before. */
  readonly outcome: Promise<WalletOutcome> = this.#ended.promise;

  constructor(options: WalletSessionOptions) {
    this.#options = options;
    this.secret = options.isTyped ? randomCode() : randomText();
  }

  /** True if the bytes were handed out. */
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

  /** Ends the session. @param message - message for the page */
  end(message: string): void {
    this.#message ??= message;
    this.#over.abort();
  }

  #open(body: unknown): Answering<"/open"> {
    const request = tryRead(secret, body);
    if (request === undefined) return stranger();
    if (this.#message !== undefined) return gone(this.#message);
    if (!isSame(request.secret, this.secret)) return this.#refuseSecret();
    if (this.#phase !== "new") return this.#compromised(walletMessages.usedTwice);
    this.#phase = "open";
    this.#token = randomText();
    void this.#closesSoon();
    return { status: 200, body: { token: this.#token, task: this.#options.task } };
  }

  #refuseSecret(): Answering<"/open"> {
    if (!this.#options.isTyped) return stranger();
    this.#wrongCodes++;
    return this.#wrongCodes < MOST_WRONG_CODES
      ? { status: 403, body: { sentence: walletMessages.wrongCode } }
      : this.#compromised(walletMessages.wrongCodes);
  }

  #compromised(reason: string): Answering<"/open"> {
    this.#finish({ kind: "unfit", reason }, reason);
    return gone(reason);
  }

  async #bytes(body: unknown): Promise<Answering<"/bytes">> {
    const request = this.#own(account, body);
    if (request === undefined) return stranger();
    if (this.#message !== undefined) return gone(this.#message);
    if (this.#phase !== "open" || this.#options.task.kind !== "sign") return gone(walletMessages.bytesOnce);
    const fault = this.#options.accountFault(request.account);
    if (fault !== undefined) {
      this.#options.noticed(fault);
      return conflict(fault);
    }
    this.#phase = "handing";
    const transaction = await this.#handOut();
    const isOver = transaction === undefined || this.#message !== undefined;
    return isOver ? gone(this.#message ?? walletMessages.notHandedOut) : { status: 200, body: { transaction } };
  }

  async #handOut(): Promise<string | undefined> {
    try {
      const transaction = await this.#options.handOut();
      this.#phase = "out";
      this.#handedOut = true;
      return transaction;
    } catch (error) {
      this.#finish({ kind: "failed", error }, walletMessages.notHandedOut);
      return undefined;
    }
  }

  async #answer(body: unknown): Promise<Answering<"/answer">> {
    const request = this.#own(answered, body);
    if (request === undefined) return stranger();
    const { answer } = request;
    if (this.#phase === "answering") return gone(walletMessages.answeredBefore);
    const isLate = this.#message !== undefined;
    if (isLate && answer.kind === "signed" && this.#phase === "out") this.#options.cameLate();
    if (!this.#isDue(answer)) return conflict(walletMessages.notAsked);
    this.#phase = "answering";
    if (isLate) return gone(answer.kind === "signed" ? walletMessages.late : walletMessages.over);
    const reason = await this.#options.answerFault(answer);
    const message = reason ?? walletMessages.taken[answer.kind];
    this.#finish(reason === undefined ? { kind: "answered", answer } : { kind: "unfit", reason }, message);
    return reason === undefined ? { status: 200, body: { sentence: message } } : conflict(message);
  }

  /** Returns whether an answer is expected now. A wallet may refuse at any time. */
  #isDue({ kind }: WalletAnswer): boolean {
    if (kind === "refused") return true;
    return kind === "signed" ? this.#phase === "out" : this.#options.task.kind === "connect";
  }

  /**
   * Responds when the session ends, or before a tunnel would close the connection. The page is open as long as it
   * polls.
   */
  async #wait(body: unknown, left: AbortSignal): Promise<Answering<"/wait">> {
    if (this.#own(token, body) === undefined) return stranger();
    if (this.#message !== undefined) return { status: 200, body: { sentence: this.#message } };
    this.#watching++;
    this.#visits++;
    await this.#options.clock.sleep(POLL_MS, AbortSignal.any([left, this.#over.signal])).catch(() => undefined);
    this.#watching--;
    if (this.#watching === 0) void this.#closesSoon();
    return { status: 200, body: { sentence: this.#message ?? null } };
  }

  async #closesSoon(): Promise<void> {
    const before = this.#visits;
    await this.#options.clock.sleep(GONE_MS, this.#over.signal).catch(() => undefined);
    if (this.#visits === before) this.#finish({ kind: "closed" }, walletMessages.over);
  }

  #finish(outcome: WalletOutcome, message: string): void {
    if (this.#message !== undefined) return;
    this.#ended.resolve(outcome);
    this.end(message);
  }

  /** Reads a request of the admitted page; undefined if the token or the format is wrong. */
  #own<T extends { readonly token: string }>(read: Read<T>, body: unknown): T | undefined {
    const request = tryRead(read, body);
    return request !== undefined && this.#token !== undefined && isSame(request.token, this.#token)
      ? request
      : undefined;
  }
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function randomCode(): string {
  return String(randomInt(1_000_000)).padStart(6, "0");
}

/** Compares in constant time. */
function isSame(guess: string, expected: string): boolean {
  const digest = (it: string): Buffer => createHash("sha256").update(it).digest();
  return timingSafeEqual(digest(guess), digest(expected));
}

function stranger(): Reply {
  return { status: 403, body: { sentence: walletMessages.stranger } };
}

function gone(message: string): Reply {
  return { status: 410, body: { sentence: message } };
}

function conflict(message: string): Reply {
  return { status: 409, body: { sentence: message } };
}
