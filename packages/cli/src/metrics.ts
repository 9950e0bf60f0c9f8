import { createServer, type ServerResponse } from "node:http";
import { collectDefaultMetrics, Gauge, type OpenMetricsContentType, Registry } from "prom-client";

/** Figures of a worker at one moment. */
export interface WorkerFigures {
  /** Number of rows by run and state. */
  readonly rows: readonly { readonly run: string; readonly state: string; readonly count: number }[];
  /** True while this worker tracks the network. */
  readonly isLeading: boolean;
  /** Statements that were sent again because a connection failed. */
  readonly repeatedStatements: number;
  /** Webhook events that wait for their delivery, and those that failed at least once. */
  readonly webhooks: { readonly waiting: number; readonly failing: number };
  /** Networks and stores that do not answer now. */
  readonly issues: number;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** State for the health check: a sentence if something is wrong. */
export type HealthCheck = () => Promise<string | undefined>;

/**
 * Serves `/metrics` as OpenMetrics and `/healthz`. Without a host it listens on loopback only.
 *
 * @param figures - Reads the figures for one answer.
 */
export async function serveMetrics(
  { port, host = "127.0.0.1" }: { readonly port: number; readonly host?: string | undefined },
  figures: () => Promise<WorkerFigures>,
  health: HealthCheck,
): Promise<MetricsServer> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry });
  const update = gaugesIn(registry);
  const server = createServer((request, response) => {
    answer(request.url ?? "", response).catch((error: unknown) => {
      end(response, 503, `${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === "/healthz") {
      const issue = await health();
      return end(response, issue === undefined ? 200 : 503, `${issue ?? "ok"}\n`);
    }
    if (path !== "/metrics") return end(response, 404, "There are /metrics and /healthz.\n");
    update(await figures());
    response.setHeader("content-type", registry.contentType);
    end(response, 200, await registry.metrics());
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  await promise;
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

function gaugesIn(registry: Registry<OpenMetricsContentType>): (figures: WorkerFigures) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `finality_${name}`, help, labelNames, registers: [registry] });
  const rows = gauge("run_rows", "Rows of runs that are not finished, by state of their last attempt.", [
    "run",
    "state",
  ]);
  const leading = gauge("leading", "1 while this worker tracks the network.");
  const repeated = gauge(
    "store_repeated_statements",
    "Statements sent again after a failed connection, since the start.",
  );
  const waiting = gauge("webhooks_waiting", "Webhook events that are not delivered.");
  const failing = gauge("webhooks_failing", "Webhook events that are not delivered and failed at least once.");
  const issues = gauge("issues", "Connections of this worker that do not answer now.");
  return (figures) => {
    rows.reset();
    for (const { run, state, count } of figures.rows) rows.set({ run, state }, count);
    leading.set(figures.isLeading ? 1 : 0);
    repeated.set(figures.repeatedStatements);
    waiting.set(figures.webhooks.waiting);
    failing.set(figures.webhooks.failing);
    issues.set(figures.issues);
  };
}
