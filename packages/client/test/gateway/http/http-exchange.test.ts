import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AttemptInfo,
  backoff,
  MAX_BACKOFF_MS,
  MAX_RETRY_AFTER_MS,
  nextDelay,
  parseRetryAfter,
  type RetryReason,
  timeoutOf,
} from "../../../src/gateway/http/http-exchange.ts";

const DATE = "Sat, 21 Nov 2026 03:08:49 GMT";
const LATER = "Sat, 21 Nov 2026 03:10:49 GMT";
const NO_DEADLINE = 3_600_000;

const reasons: fc.Arbitrary<RetryReason> = fc.oneof(
  fc.constantFrom<RetryReason>(
    ...(["network", "unreachable", "silent", "garbled", "final"] as const).map((kind) => ({ kind })),
  ),
  fc.record({
    kind: fc.constantFrom("server" as const, "rate-limited" as const),
    retryAfterMs: fc.option(fc.nat(600_000), { nil: undefined }),
  }),
);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function read(change: Partial<AttemptInfo>): AttemptInfo {
  return { access: "read", tries: 1, reason: { kind: "network" }, remainingMs: NO_DEADLINE, random: 0, ...change };
}

describe("backoff", () => {
  it("S142 S151 is at most 30 s, and jitter takes at most half of it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), random, (tries, luck) => {
        const most = backoff(tries, 1 - Number.EPSILON);
        assert.ok(backoff(tries, luck) <= MAX_BACKOFF_MS);
        assert.ok(backoff(tries, luck) >= most / 2 - 1e-6);
      }),
    );
  });

  it("S142 does not decrease", () => {
    for (let tries = 1; tries < 50; tries++) assert.ok(backoff(tries + 1, 0.5) >= backoff(tries, 0.5));
    assert.equal(backoff(50, 0), 15_000);
  });
});

describe("nextDelay", () => {
  it("S135 S136 does not repeat a write", () => {
    fc.assert(
      fc.property(reasons, fc.integer({ min: 1, max: 20 }), random, (reason, tries, luck) => {
        assert.equal(nextDelay(read({ access: "write", reason, tries, random: luck })), undefined);
      }),
    );
  });

  it("S101 does not repeat a refused request", () => {
    assert.equal(nextDelay(read({ reason: { kind: "final" } })), undefined);
  });

  it("S100 S135 repeats a read after a growing pause", () => {
    const delays = [1, 2, 3, 4].map((tries) => nextDelay(read({ tries, random: 0.999999 })));
    assert.deepEqual(
      delays.map((it) => Math.round(Number(it))),
      [500, 1000, 2000, 4000],
    );
  });

  it("S104 S137 S153 follows Retry-After beyond 30 s, and ends when the wait would pass the deadline", () => {
    const reason: RetryReason = { kind: "rate-limited", retryAfterMs: 90_000 };
    assert.equal(nextDelay(read({ reason })), 90_000);
    assert.equal(nextDelay(read({ reason, remainingMs: 60_000 })), undefined);
  });

  it("ends after a time for every reason, and stays within the requested and the remaining time", () => {
    fc.assert(
      fc.property(
        reasons,
        fc.integer({ min: 1, max: 30 }),
        random,
        fc.nat(120_000),
        (reason, tries, luck, remainingMs) => {
          const delay = nextDelay(read({ reason, tries, random: luck, remainingMs }));
          if (delay === undefined) return;
          assert.ok(tries < 12 && delay < remainingMs);
          if (reason.kind === "server" || reason.kind === "rate-limited")
            assert.ok(delay >= (reason.retryAfterMs ?? 0));
        },
      ),
    );
  });

  it("does not repeat requests to a gateway that drops the token", () => {
    assert.notEqual(nextDelay(read({ reason: { kind: "silent" }, tries: 1 })), undefined);
    assert.equal(nextDelay(read({ reason: { kind: "silent" }, tries: 2 })), undefined);
  });
});

describe("parseRetryAfter", () => {
  it("S104 reads seconds, and a date by the server's clock or else by the local clock", () => {
    for (const [value, serverDate, now, expected] of [
      ["2", DATE, 0, 2_000],
      ["0", DATE, 0, 0],
      [LATER, DATE, 0, 120_000],
      [LATER, DATE, Date.UTC(2040, 0, 1), 120_000],
      [LATER, undefined, Date.parse(LATER) - 5_000, 5_000],
      [DATE, undefined, Date.parse(LATER), 0],
    ] as const)
      assert.equal(parseRetryAfter(value, serverDate, now), expected, `${value} ${serverDate} ${now}`);
  });

  it("T2: limits every wait to a day", () => {
    const far = "Fri, 31 Dec 9999 23:59:59 GMT";
    for (const value of ["86401", "2592000", "99999999999", "9".repeat(400), far]) {
      assert.equal(parseRetryAfter(value, DATE, 0), MAX_RETRY_AFTER_MS, value);
    }
    assert.equal(parseRetryAfter("86400", DATE, 0), MAX_RETRY_AFTER_MS);
    assert.equal(parseRetryAfter("86399", DATE, 0), 86_399_000);
  });

  it("T8: reads a date without a time zone as UTC", () => {
    const zone = process.env.TZ;
    try {
      for (process.env.TZ of ["America/New_York", "Asia/Shanghai", "UTC"]) {
        const now = Date.UTC(2026, 10, 6, 8, 48, 37);
        for (const date of [
          "Fri Nov  6 08:49:37 2026",
          "Fri, 06 Nov 2026 08:49:37 GMT",
          "Friday, 06-Nov-26 08:49:37 GMT",
          "Fri, 06 Nov 2026 08:49:37",
        ]) {
          assert.equal(parseRetryAfter(date, undefined, now), 60_000, `${process.env.TZ}: ${date}`);
        }
        assert.equal(parseRetryAfter("Fri, 06 Nov 2026 03:49:37 -0500", undefined, now), 60_000);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it("ignores any other value", () => {
    for (const value of [undefined, "", "soon", "-1", "1.5", "12 apples"]) {
      assert.equal(parseRetryAfter(value, DATE, 0), undefined, String(value));
    }
  });
});

describe("timeoutOf", () => {
  it("S102 increases with each attempt, up to a minute", () => {
    assert.deepEqual(
      [0, 1, 2, 3, 9].map((failed) => timeoutOf(failed)),
      [10_000, 20_000, 40_000, 60_000, 60_000],
    );
  });
});
