// Who may import whom. test/architecture/import-rules.test.ts breaks each rule once.

const tron = "^packages/tron/src/";
const client = "^packages/client/src/";
const localChain = "^packages/local-chain/src/";
const nodePorts = "^packages/node/src/";
const postgres = "^packages/postgres/src/";
const agentTools = "^packages/agent-tools/src/";
const cli = "^packages/cli/src/";
const host = "^src/host/";
const sending = "^src/sending/";
const features = "^src/features/";
const messages = "^src/webview-messages/";
const media = "^media/";
// The types stand for the module, which exists in the extension host only.
const vscode = "^vscode$|(^|/)node_modules/@types/vscode/";

/** Modules of Node, with and without their prefix. */
const node = (...names) => `^(node:)?(${names.join("|")})$`;
/** Packages of npm, by any path inside. */
const npm = (...names) => `(^|/)node_modules/(${names.join("|")})/`;
/** All text for people goes through it. The build gives it the language of the editor (src/host/language.ts). */
const translated = npm("@vscode/l10n");
/** Modules of the tools for agents: their handlers, and the ports that the command line and the editor pass to them. */
const TOOLS =
  "^packages/(agent-tools/src/|cli/src/(agent-ports|commands/mcp)\\.ts$)|^src/(host/agents/|features/agents/(agent-ports|language-tools|mcp-provider)\\.ts$)";
/** Modules that sign, hold or reveal keys, or send signed bytes after a review. */
const SIGNERS =
  "^src/sending/|^src/host/secrets/|^packages/cli/src/(key-source|send-transaction|commands/send)\\.ts$|^packages/client/src/keys/(?!key-policy\\.ts$)";
const typesOnly = ["type-only", "type-import"];

/** From a folder nothing may be imported but what is named. */
const only = (name, comment, from, ...to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { pathNot: to },
});
const never = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const forbidden = [
  only(
    "tron-is-a-codec",
    "The codec layer knows values only: no network, key at rest, disk or editor.",
    tron,
    ...[tron, npm("@noble/[^/]+", "@bufbuild/protobuf"), node("crypto", "util"), translated],
  ),
  only(
    "client-is-pure",
    "The client knows the codec layer and ports. The ports are implemented in packages/node and src/host.",
    client,
    ...[
      client,
      tron,
      npm("jose", "undici", "@noble/[^/]+", "@scure/bip(32|39)", "@bufbuild/protobuf", "jsonc-parser", "csv-parse"),
      node("crypto", "util"),
      translated,
    ],
  ),
  {
    ...never("packages-by-name", "Packages import each other by name, through the exports of package.json.", {}, {}),
    from: { path: "^(packages/[^/]+|src|media)/" },
    to: { path: "^packages/", pathNot: "^$1/", dependencyTypes: ["local"], dependencyTypesNot: ["aliased-workspace"] },
  },
  only(
    "node-has-no-editor",
    "The editor and the command line share these ports, so they use Node alone.",
    nodePorts,
    ...[nodePorts, client, tron, translated],
    node("crypto", "dns/promises", "fs", "fs/promises", "net", "os", "path", "timers", "timers/promises", "tls"),
  ),
  only(
    "host-implements-ports",
    "The host implements the client's ports with VS Code and Node. It imports no feature.",
    host,
    ...[
      host,
      nodePorts,
      client,
      tron,
      messages,
      vscode,
      translated,
      // The settings of VS Code decide how undici reaches the network.
      npm("undici"),
      node(
        "async_hooks",
        "fs",
        "fs/promises",
        "path",
        "os",
        "child_process",
        "dns/promises",
        "events",
        "net",
        "http",
        "crypto",
        "tls",
        "readline",
        "timers",
        "timers/promises",
        "worker_threads",
      ),
    ],
  ),
  never(
    "one-http-server",
    "One module listens to browsers and checks the origin of each request.",
    { path: host, pathNot: "^src/host/external-signer/loopback-server\\.ts$" },
    { path: node("http", "https", "http2") },
  ),
  only(
    "sending-knows-no-feature",
    "The send pipeline knows the host and the client. Features hand it requests.",
    sending,
    ...[sending, host, nodePorts, client, tron, messages, vscode, translated],
  ),
  only(
    "features-look-down",
    "A feature connects the client and the host to something that a user sees.",
    features,
    ...[
      features,
      sending,
      host,
      nodePorts,
      client,
      tron,
      messages,
      localChain,
      agentTools,
      "^src/public/",
      vscode,
      translated,
      "^node_modules/@vscode/debug(?:adapter|protocol)/",
      node("path", "url"),
    ],
  ),
  never(
    "features-are-islands",
    "Features do not import each other. Code that two of them need belongs to a layer below.",
    { path: "^src/features/([^/]+)/" },
    { path: features, pathNot: "^src/features/$1/" },
  ),
  never(
    "views-are-pure",
    "A view turns data into text and icons, and is tested without VS Code.",
    { path: "\\.view\\.ts$" },
    { path: [vscode, host, nodePorts, "^src/sending/(?!.*\\.view\\.ts$)"] },
  ),
  only(
    "local-chain-is-independent",
    "The chain shares the codec layer only, so that client and chain cannot be wrong together.",
    localChain,
    ...[
      localChain,
      // Their barrels, and what these export.
      "^packages/tron/src/(primitives|read|traces|transaction|abi)(/|\\.ts$)",
    ],
    npm("jose", "@noble/[^/]+", "@bufbuild/protobuf", "@ethereumjs/[^/]+"),
    node(
      "http",
      "crypto",
      "fs",
      "fs/promises",
      "module",
      "path",
      "util",
      "url",
      "process",
      "timers",
      "timers/promises",
      "v8",
      "zlib",
    ),
  ),
  only(
    "agent-tools-know-ports",
    "Tools for agents read through ports. The command line and the editor implement these.",
    agentTools,
    ...[agentTools, client, tron, npm("@modelcontextprotocol/sdk"), node("crypto", "fs/promises", "path", "stream")],
  ),
  only("api-is-types", "The public API has types only, and none of ours.", "^packages/api/src/", vscode),
  only(
    "postgres-implements-run-store",
    "The store of runs in PostgreSQL knows the client's ports and its driver. It holds no keys and decides nothing.",
    postgres,
    ...[postgres, client, tron, npm("pg", "@types/pg")],
    node("crypto", "fs", "timers/promises"),
  ),
  {
    ...never("tools-reach-no-signer", "No import path leads from a tool for agents to a signature or a key.", {}, {}),
    from: { path: TOOLS },
    to: { path: SIGNERS, reachable: true },
  },
  only(
    "cli-implements-ports",
    "The command line imports packages only: what it shares with the editor is in packages/client and packages/node.",
    cli,
    ...[cli, agentTools, nodePorts, postgres, client, tron, "^packages/local-chain/src/main\\.ts$"],
    npm("prom-client"),
    node("child_process", "crypto", "events", "fs", "fs/promises", "http", "os", "path", "readline", "stream", "util"),
  ),
  never(
    "local-chain-is-a-bundle-of-its-own",
    "The extension runs dist/local-chain.js; it imports only types of the chain. The command line has one bundle.",
    { path: "^(src|packages)/", pathNot: [localChain, cli] },
    { path: localChain, dependencyTypesNot: typesOnly },
  ),
  only(
    "pages-import-messages",
    "A page communicates with the extension by messages only.",
    media,
    media,
    messages,
    npm("@vscode/[^/]+"),
  ),
  never(
    "pages-share-types-only",
    "No code of src runs in a page.",
    { path: media },
    { path: "^(src|packages)/", dependencyTypesNot: typesOnly },
  ),
  never(
    "messages-are-types",
    "src/webview-messages compiles to nothing.",
    { path: messages },
    { pathNot: messages, dependencyTypesNot: typesOnly },
  ),
  never("no-cycles", "Merge modules that import each other, or extract a third.", {}, { circular: true }),
  {
    ...never("no-circles-of-folders", "Merge folders that import each other, or extract a third.", {}, {}),
    scope: "folder",
    from: { path: "^(packages/(tron|client|node|local-chain|cli|agent-tools|postgres)/src)/" },
    to: { circular: true },
  },
  never(
    "no-orphans",
    "No module imports this one, and it imports none: it is dead or not used yet.",
    {
      orphan: true,
      path: "^(src|media|packages/[^/]+/src)/",
      pathNot: [
        "^src/extension\\.ts$",
        "^src/public/",
        "^packages/(api/src/index|local-chain/src/main)\\.ts$",
        "\\.d\\.ts$",
      ],
    },
    {},
  ),
  never(
    "shipped-code-needs-shipped-packages",
    "A dev dependency is not available when the extension runs.",
    { path: "^(src|media|packages/[^/]+/src)/" },
    { dependencyTypes: ["npm-dev"], dependencyTypesNot: typesOnly, pathNot: vscode },
  ),
  never(
    "no-tests-in-shipped-code",
    "Shipped code does not import tests or scripts.",
    { path: "^(src|media|packages/[^/]+/src)/" },
    { path: "^(test|scripts)/" },
  ),
  never(
    "everything-resolves",
    "The module of this import does not exist.",
    {},
    { couldNotResolve: true, pathNot: vscode },
  ),
];

export default {
  forbidden,
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^packages/[^/]+/test/" },
    // Types count: a cycle of types is a cycle for the reader.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
  },
};
