/** The parts of undici that do not touch its global dispatcher, which the whole package does when it is loaded. */
declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici";

  const agent: typeof Agent;
  export = agent;
}

declare module "undici/lib/dispatcher/dispatcher.js" {
  import type { Dispatcher } from "undici";

  const dispatcher: typeof Dispatcher;
  export = dispatcher;
}

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import type { EnvHttpProxyAgent } from "undici";

  const agent: typeof EnvHttpProxyAgent;
  export = agent;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  /** `this` is the dispatcher that sends the request. */
  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export = request;
}

declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";

  const pool: typeof Pool;
  export = pool;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";

  /** `this` is the dispatcher that opens the tunnel. */
  function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  export = connect;
}

declare module "undici/lib/core/connect.js" {
  import type { buildConnector } from "undici";

  const build: typeof buildConnector;
  export = build;
}
