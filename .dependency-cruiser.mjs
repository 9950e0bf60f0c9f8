// Who may import whom. Each rule is broken once in test/architecture/import-rules.test.ts, which expects it to be noticed.

const core = "^src/core/";
const host = "^src/host/";
const features = "^src/features/";
const messages = "^src/webview-messages/";
const words = "^src/words/";
const leafWords = "^src/words/(forms|reasons)/";
const localChain = "^src/local-chain/";
const media = "^media/";
// The types stand for the module, which exists in the extension host only.
const vscode = "^vscode$|(^|/)node_modules/@types/vscode/";

/** Modules of Node, with and without their prefix. */
const node = (...names) => `^(node:)?(${names.join("|")})$`;
/** Packages of npm, by whatever path inside. */
const npm = (...names) => `(^|/)node_modules/(${names.join("|")})/`;
/** What every text for people goes through. The build gives it the language of the editor (src/host/language.ts). */
const translated = npm("@vscode/l10n");
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
    "core-is-pure",
    "Core knows data, mathematics and the wire. Take a port instead; an implementation lives in src/host.",
    core,
    ...[
      core,
      npm("jose", "undici", "@noble/[^/]+", "@scure/bip(32|39)", "@bufbuild/protobuf", "jsonc-parser"),
      node("crypto", "util"),
      translated,
    ],
    // How a number, an amount or a time reads: the reason of a refusal has to be whole where it is thrown.
    leafWords,
  ),
  only(
    "words-are-pure",
    "Words make sentences of core's values, and know nobody who shows them.",
    words,
    words,
    core,
    translated,
  ),
  only(
    "words-of-core-know-values-only",
    "Core imports them, so they know nothing of it but its primitives.",
    leafWords,
    ...[leafWords, "^src/core/primitives/", translated],
  ),
  only(
    "host-serves-core",
    "Host implements the ports of core with VS Code and Node. It knows no feature.",
    host,
    ...[
      host,
      core,
      words,
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
    "one-room-serves-pages",
    "What listens to a browser checks who asks, and there is one place that does.",
    { path: host, pathNot: "^src/host/outside/loopback-server\\.ts$" },
    { path: node("http", "https", "http2") },
  ),
  only(
    "features-look-down",
    "A feature wires host and core to something that a user sees.",
    features,
    ...[features, host, core, words, messages, localChain, "^src/public/", vscode, translated, node("path", "url")],
  ),
  never(
    "features-are-islands",
    "A feature does not know its siblings. What two of them need belongs to host or core.",
    { path: "^src/features/([^/]+)/" },
    { path: features, pathNot: "^src/features/$1/" },
  ),
  never(
    "views-are-pure",
    "A view turns data into words and icons, and is tested without VS Code.",
    { path: "\\.view\\.ts$" },
    { path: [vscode, host] },
  ),
  only(
    "local-chain-is-independent",
    "The chain shares codecs with core and nothing else, so that client and chain cannot be wrong together.",
    localChain,
    ...[localChain, "^src/core/(primitives|transaction|abi)/"],
    npm("jose", "@noble/[^/]+", "@bufbuild/protobuf", "@ethereumjs/[^/]+"),
    node(
      "http",
      "crypto",
      "fs",
      "fs/promises",
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
  never(
    "local-chain-is-a-bundle-of-its-own",
    "The extension runs dist/local-chain.js; it imports the chain's types at most.",
    { path: "^src/", pathNot: localChain },
    { path: localChain, dependencyTypesNot: typesOnly },
  ),
  only(
    "pages-import-messages",
    "A page talks to the extension by messages alone.",
    media,
    media,
    messages,
    npm("@vscode/[^/]+"),
  ),
  never(
    "pages-share-types-only",
    "Nothing of src runs in a page.",
    { path: media },
    { path: "^src/", dependencyTypesNot: typesOnly },
  ),
  never(
    "messages-are-types",
    "src/webview-messages compiles to nothing.",
    { path: messages },
    { pathNot: messages, dependencyTypesNot: typesOnly },
  ),
  never("no-cycles", "Modules that need each other are one module, or want a third.", {}, { circular: true }),
  {
    ...never(
      "no-circles-of-folders",
      "Folders of core and of words that need each other are one folder, or want a third.",
      {},
      {},
    ),
    scope: "folder",
    from: { path: "^src/(core|words)/" },
    to: { circular: true },
  },
  never(
    "no-orphans",
    "Nothing imports this module, and it imports nothing: it is dead, or not wired yet.",
    {
      orphan: true,
      path: "^(src|media)/",
      pathNot: ["^src/extension\\.ts$", "^src/public/", "^src/local-chain/main\\.ts$", "\\.d\\.ts$"],
    },
    {},
  ),
  never(
    "shipped-code-needs-shipped-packages",
    "A dev dependency is not there when the extension runs.",
    { path: "^(src|media)/" },
    { dependencyTypes: ["npm-dev"], dependencyTypesNot: typesOnly, pathNot: vscode },
  ),
  never(
    "no-tests-in-shipped-code",
    "Shipped code does not import tests or scripts.",
    { path: "^(src|media)/" },
    { path: "^(test|scripts)/" },
  ),
  never("everything-resolves", "This import leads nowhere.", {}, { couldNotResolve: true, pathNot: vscode }),
];

export default {
  forbidden,
  options: {
    doNotFollow: { path: "node_modules" },
    // Types count: a cycle of types is a cycle for the reader.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
  },
};
