// Measures a read of a gateway on this machine beside the same request by bare undici and by axios,
// whose answers are not verified.

import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { AxiosStatic } from "axios";
import { Pool } from "undici";
import { createHttpGateway } from "../../packages/client/src/gateway/http/http-gateway.ts";
import { startLocalChain } from "../../packages/local-chain/src/main.ts";
import { systemClock as clock } from "../../packages/node/src/system-clock.ts";
import { profileAt } from "../support/fakes/gateway-fixtures.ts";
import { inTurns, report } from "./row.ts";

/** As TronWeb brings it. */
const axios: AxiosStatic = createRequire(createRequire(import.meta.url).resolve("tronweb"))("axios");

const COUNT = 300;
const ROUNDS = 9;
const PATH = "/wallet/getnowblock";

// A block of the embedded chain, served by a server that does nothing else.
const chain = await startLocalChain({ seed: "gateway", blockTimeMs: 0 });
const block = await (await fetch(chain.baseUrl + PATH, { method: "POST", body: "{}" })).text();
await chain.close();
const server = createServer((request, response) => {
  request.resume().on("end", () => response.setHeader("content-type", "application/json").end(block));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const gateway = createHttpGateway(profileAt(origin), { clock });
const pool = new Pool(origin, { connections: 1 });
const client = axios.create({ baseURL: origin });
const body = JSON.stringify({});
const headers = { "content-type": "application/json" };

const times = (work: () => Promise<unknown>) => async (): Promise<void> => {
  for (let at = 0; at < COUNT; at++) await work();
};
try {
  const took = await inTurns(
    {
      ours: times(() => gateway.headBlock()),
      "bare undici": times(async () =>
        JSON.parse(await (await pool.request({ path: PATH, method: "POST", headers, body })).body.text()),
      ),
      axios: times(async () => (await client.post(PATH, {})).data),
    },
    ROUNDS,
  );
  const each = (ms: number): number => (ms / COUNT) * 1_000;
  for (const peer of ["axios", "bare undici"] as const)
    report({
      area: "gateway client",
      what: "read the newest block",
      meaning: "CPU time of each request; the network takes far longer.",
      peer,
      unit: "µs",
      better: "less",
      ours: each(took.ours),
      theirs: each(took[peer]),
      reason:
        "each answer is parsed without loss of digits, validated field by field and logged; a bare request does none of this",
    });
} finally {
  await gateway.close();
  await pool.close();
  server.close();
}
