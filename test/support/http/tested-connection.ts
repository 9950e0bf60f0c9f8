import type { CheckResult } from "../../../packages/client/src/gateway/access/connection-checks.ts";
import { testConnection } from "../../../packages/client/src/gateway/access/connection-test.ts";
import type { Block } from "../../../packages/client/src/gateway/gateway.ts";
import {
  type ConnectionSettings,
  createDispatcher,
} from "../../../packages/client/src/gateway/http/http-dispatcher.ts";
import { bindToOrigins, type NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import { SocketProbe } from "../../../packages/node/src/networks/socket-probe.ts";
import { systemClock } from "../../../packages/node/src/system-clock.ts";
import { profileAt } from "../fakes/gateway-fixtures.ts";

/** A network whose connection is tested. */
export interface TestedNetwork extends Omit<Partial<NetworkProfile>, "baseUrl"> {
  readonly url: string;
  readonly apiKey?: string;
  readonly jwtKeyPem?: string;
  /** Ms that the clock of this computer is ahead. */
  readonly ahead?: number;
  readonly settings?: ConnectionSettings;
  /** Divides the timeouts, so that tests of silent gateways wait for a part of them. */
  readonly timeoutDivisor?: number;
  readonly signal?: AbortSignal;
  /** Returns the newest solidified block if no path reports it. */
  readonly solidBlock?: () => Promise<Block>;
}

/** Tests a connection with real sockets and the editor's part left out. */
export async function testedConnection(network: TestedNetwork): Promise<readonly CheckResult[]> {
  const {
    url,
    apiKey,
    jwtKeyPem,
    ahead = 0,
    settings = {},
    timeoutDivisor = 1,
    signal,
    solidBlock,
    ...change
  } = network;
  const profile = profileAt(url, change);
  const pool = createDispatcher(settings);
  const dispatcher = pool.compose((dispatch) => (request, handler) => {
    const [headersTimeout, bodyTimeout] = [request.headersTimeout, request.bodyTimeout].map((ms) =>
      ms === undefined || ms === null ? null : ms / timeoutDivisor,
    );
    return dispatch({ ...request, headersTimeout: headersTimeout ?? null, bodyTimeout: bodyTimeout ?? null }, handler);
  });
  const clock = { sleep: systemClock.sleep, now: () => systemClock.now() + ahead };
  const keys = {
    apiKey: apiKey === undefined ? undefined : bindToOrigins(profile, apiKey),
    jwtKey: jwtKeyPem === undefined ? undefined : bindToOrigins(profile, jwtKeyPem),
  };
  try {
    const probe = new SocketProbe(settings);
    return await testConnection(profile, { clock, dispatcher, probe, solidBlock, ...keys }, signal);
  } finally {
    await pool.destroy();
  }
}

/** The first line that failed, as "check: sentence"; what else stood there when none did. */
export function firstFailure(findings: readonly CheckResult[]): string {
  const failed = findings.find(({ status }) => status === "failed");
  return failed === undefined ? "nothing failed" : `${failed.check}: ${failed.sentence}`;
}
