// `npm run build`: bundles the extension, the local chain and the webview pages into dist/.

import { join } from "node:path";
import { build } from "./build/bundles.mjs";

const { notices, sizes } = await build(join(import.meta.dirname, ".."));
for (const notice of notices) console.error(`build: ${notice}`);
for (const [file, bytes] of Object.entries(sizes)) console.error(`build: ${file}  ${(bytes / 1000).toFixed(1)} kB`);
