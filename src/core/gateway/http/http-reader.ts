import { type AnyChainError, ChainError, isChainError } from "../../errors/chain-error.ts";
import { type Clock, turns } from "../../time/clock.ts";
import { readAnswer, readCodedAnswer, readInPieces } from "../wire/answer.ts";
import type { Endpoint } from "./endpoints.ts";
import type { HttpSender } from "./http-sender.ts";
import { nextDelay, type RetryReason, timeoutOf } from "./retry-policy.ts";

/** How long a fallback stays the first choice after the profile's own URL failed. */
const FALLBACK_MS = 60_000;

export interface ReaderOptions {
  readonly clock: Clock;
  /** From 0 to before 1. */
  readonly random: () => number;
  /** How long one read may take with all its tries; ms. */
  readonly deadlineMs: number;
  /** How long the first try may wait for a part of its answer; ms. */
  readonly timeoutMs: number;
}

interface Failed {
  readonly error: AnyChainError;
  readonly reason: RetryReason;
}

/** An answer, and the URL that gave it: another than the network's own where that one failed. */
export interface AnswerFromUrl<A> {
  readonly endpoint: string;
  readonly value: A;
}

type Attempt<A> = ({ readonly kind: "value" } & AnswerFromUrl<A>) | ({ readonly kind: "failed" } & Failed);

/** Reads with repetition and failover: another URL at once, and a growing pause when all of them failed. */
export class HttpReader {
  readonly #sender: HttpSender;
  readonly #options: ReaderOptions;
  #preferred = 0;
  #preferredUntil = 0;

  constructor(sender: HttpSender, options: ReaderOptions) {
    this.#sender = sender;
    this.#options = options;
  }

  /** @throws {ChainError} `GATEWAY_…`, `NODE_REFUSED`, or the reason of the signal */
  async read<Q, A>(endpoint: Endpoint<Q, A>, question: Q, signal?: AbortSignal): Promise<AnswerFromUrl<A>> {
    const deadline = this.#options.clock.now() + this.#options.deadlineMs;
    const urls = this.#sender.endpoints;
    let at = this.#firstChoice();
    for (let tries = 1; ; tries++) {
      const url = urls[at % urls.length] ?? "";
      const timeoutMs = Math.min(
        timeoutOf(tries - 1, this.#options.timeoutMs),
        Math.max(1, deadline - this.#options.clock.now()),
      );
      const attempt = await this.#try(endpoint, question, { url, tries, timeoutMs, signal });
      if (attempt.kind === "value") {
        this.#prefer(at % urls.length);
        return attempt;
      }
      await this.#pause(endpoint, attempt, { tries, deadline, signal });
      if (attempt.reason.kind !== "rate-limited") at++;
    }
  }

  async #try<Q, A>(
    { path, body, parse, pieces, coded }: Endpoint<Q, A>,
    question: Q,
    { url: endpoint, ...sending }: { url: string; tries: number; timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<Attempt<A>> {
    const { verdict, endpoint: asked } = await this.#sender.send({ endpoint, path, body: body(question), ...sending });
    if (verdict.kind === "failure") return { ...verdict, kind: "failed" };
    try {
      const answer = { endpoint, body: verdict.body };
      const inTurns = pieces && readInPieces(answer, pieces, turns(this.#options.clock));
      const read = coded === true ? readCodedAnswer : readAnswer;
      const value = inTurns === undefined ? read(answer, parse) : await inTurns;
      return { kind: "value", endpoint: asked, value };
    } catch (error) {
      if (!isChainError(error)) throw error;
      return { kind: "failed", error, reason: reasonOf(error) };
    }
  }

  /** Waits for the next try, or gives up with the failure. */
  async #pause<Q, A>(
    { access }: Endpoint<Q, A>,
    failed: Failed,
    { tries, deadline, signal }: { tries: number; deadline: number; signal: AbortSignal | undefined },
  ): Promise<void> {
    const { clock, random } = this.#options;
    const { reason, error } = failed;
    const urls = this.#sender.endpoints.length;
    const round = Math.ceil(tries / urls);
    const remainingMs = deadline - clock.now();
    const delay = nextDelay({ access, tries: round, reason, remainingMs, random: random() });
    if (delay === undefined) throw withTries(error, tries);
    const elsewhere = tries % urls !== 0 && reason.kind !== "rate-limited";
    if (!elsewhere) await clock.sleep(delay, signal);
  }

  #firstChoice(): number {
    return this.#options.clock.now() < this.#preferredUntil ? this.#preferred : 0;
  }

  #prefer(index: number): void {
    if (index === this.#firstChoice()) return;
    this.#preferred = index;
    this.#preferredUntil = this.#options.clock.now() + FALLBACK_MS;
  }
}

function reasonOf(error: AnyChainError): RetryReason {
  switch (error.code) {
    case "GATEWAY_RATE_LIMITED":
      return { kind: "rate-limited" };
    case "GATEWAY_ANSWER_MALFORMED":
      return { kind: "garbled" };
    default:
      return { kind: "final" };
  }
}

function withTries(error: AnyChainError, attempts: number): AnyChainError {
  if (error.code !== "GATEWAY_UNREACHABLE") return error;
  return new ChainError("GATEWAY_UNREACHABLE", { ...error.details, attempts }, { cause: error });
}
