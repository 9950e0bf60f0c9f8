import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Compiler on this computer. */
export interface Compiler {
  /** Program, or the `soljson.js` of a release. */
  readonly path: string;
  readonly kind: "program" | "script";
  /** Such as `0.8.24`. */
  readonly release: string;
}

/**
 * Returns the compiler of a version: that of the package `solc` in the folders or above, else that of the cache of
 * Hardhat, Foundry, TronBox or Truffle. Undefined if the computer has none. Downloads nothing.
 *
 * @param folders - of the workspace
 * @param version - such as `0.8.24` or `0.8.24+commit.e11b9ed9`
 */
export function findCompiler(
  folders: readonly string[],
  version: string | undefined,
  home: string = homedir(),
): Compiler | undefined {
  const [, release, commit] = /(\d+\.\d+\.\d+)(?:.*?commit\.([0-9a-f]+))?/.exec(version ?? "") ?? [];
  const own = folders.flatMap((it) => packageIn(it) ?? []);
  if (release === undefined) return own[0];
  const isRelease = (it: Compiler): boolean => it.release === release;
  return own.find(isRelease) ?? best(cachedCompilers(home).filter(isRelease), commit);
}

interface CachedCompiler extends Compiler {
  readonly commit: string | undefined;
}

/** @param commit - of the build; TRON's own compiler has another one than solc */
function best(cached: readonly CachedCompiler[], commit: string | undefined): Compiler | undefined {
  const isExact = (it: CachedCompiler): boolean =>
    commit !== undefined && it.commit !== undefined && (it.commit.startsWith(commit) || commit.startsWith(it.commit));
  return cached.find(isExact) ?? cached.find((it) => it.commit === undefined) ?? cached[0];
}

/** Returns the package `solc` of a folder. */
function packageIn(folder: string): Compiler | undefined {
  const path = join(folder, "node_modules", "solc");
  try {
    const { version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as { version?: unknown };
    return { path: join(path, "soljson.js"), kind: "script", release: String(version) };
  } catch {
    return undefined;
  }
}

function cachedCompilers(home: string): readonly CachedCompiler[] {
  return cacheFolders(home).flatMap((folder) =>
    namesIn(folder).flatMap((name): readonly CachedCompiler[] => {
      const release = /\d+\.\d+\.\d+/.exec(name)?.[0];
      if (release === undefined) return [];
      const commit = /commit\.([0-9a-f]+)/.exec(name)?.[1];
      const file = join(folder, name);
      if (/^soljson.*\.js$/.test(name)) return [{ path: file, kind: "script", release, commit }];
      if (/^solc-.*v\d/.test(name) && !name.endsWith(".does.not.work"))
        return [{ path: file, kind: "program", release, commit }];
      // Foundry: 0.8.24/solc-0.8.24
      const program = namesIn(file).find((it) => it.startsWith("solc-"));
      return program === undefined ? [] : [{ path: join(file, program), kind: "program", release, commit }];
    }),
  );
}

/** Folders in which frameworks keep compilers, on all systems. */
function cacheFolders(home: string): readonly string[] {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const caches = [XDG_CACHE_HOME, join(home, ".cache"), join(home, "Library", "Caches"), LOCALAPPDATA];
  const hardhat = caches.flatMap((it) =>
    it === undefined
      ? []
      : ["v2", "v3"].flatMap((version) =>
          [
            join(it, "hardhat-nodejs", `compilers-${version}`),
            join(it, "hardhat-nodejs", "Cache", `compilers-${version}`),
          ].flatMap((folder) =>
            namesIn(folder).flatMap((name) => [join(folder, name), join(folder, name, "tron-solc")]),
          ),
        ),
  );
  return [
    ...hardhat,
    join(home, ".tronbox", "solc"),
    join(home, ".svm"),
    join(home, ".local", "share", "svm"),
    join(home, "Library", "Application Support", "svm"),
    join(home, ".config", "truffle", "compilers", "node_modules"),
  ];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Returns the folder and those above it, up to a root. */
export function foldersUpTo(folder: string, root: string): readonly string[] {
  const above: string[] = [folder];
  for (let at = folder; at !== root && dirname(at) !== at && at.startsWith(root); at = dirname(at))
    above.push(dirname(at));
  return above;
}
