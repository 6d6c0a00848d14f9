import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleNodes, type NodesManifest } from './bundle-nodes.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../../..');
const inModules = (name: string): string => path.join(import.meta.dirname, '../node_modules', name);
const tsc = inModules('typescript-7/bin/tsc');

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** The manual page, which the command itself prints. */
  readonly man?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: unknown;
  readonly devDependencies?: unknown;
};

const readManifest = async (folder: string): Promise<Manifest & Partial<NodesManifest>> =>
  JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));

const MODULES = './dist';
/** The same for `require`: of Node 20, and of tools such as Jest that load no modules. */
const COMMONJS = './dist/cjs';

const builtPath = (source: string, extension: string, folder = MODULES): string =>
  source.replace('./src', folder).replace(/\.ts$/, extension);

const entry = (source: string, folder = MODULES) => ({
  types: builtPath(source, '.d.ts', folder),
  default: builtPath(source, '.js', folder),
});

/** What other code loads: all but commands. */
const isLibrary = ({ bin }: Manifest): boolean => bin === undefined;

/** For tools that do not read `exports`, such as TypeScript with `moduleResolution: node`. */
const withoutExports = ({ exports: { '.': main = '', ...subpaths } }: Manifest) => ({
  main: builtPath(main, '.js', COMMONJS),
  types: builtPath(main, '.d.ts', COMMONJS),
  typesVersions: {
    '*': Object.fromEntries(
      Object.entries(subpaths).map(([name, source]) => [
        path.posix.normalize(name),
        [builtPath(source, '.d.ts', COMMONJS)],
      ]),
    ),
  },
});

/**
 * The manifest as customers get it: built files, no scripts, and its siblings inside, so that no registry is asked for
 * a name that another person may take there.
 */
const packedManifest = (
  { scripts: _scripts, devDependencies: _tools, ...manifest }: Manifest,
  siblings: readonly Manifest[],
) => {
  const versionOf = (name: string) => siblings.find((sibling) => sibling.name === name)?.version;
  const exports = Object.entries(manifest.exports).map(([name, source]) => [
    name,
    isLibrary(manifest) ? { import: entry(source), require: entry(source, COMMONJS) } : entry(source),
  ]);
  const bin = Object.entries(manifest.bin ?? {}).map(([name, source]) => [name, builtPath(source, '.js')]);
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, version]) => [
    name,
    versionOf(name) ?? version,
  ]);
  return {
    ...manifest,
    ...(isLibrary(manifest) && withoutExports(manifest)),
    exports: Object.fromEntries(exports),
    ...(bin.length > 0 && { bin: Object.fromEntries(bin) }),
    ...(dependencies.length > 0 && { dependencies: Object.fromEntries(dependencies) }),
    ...(siblings.length > 0 && { bundleDependencies: siblings.map(({ name }) => name) }),
  };
};

const commonJs = { module: 'commonjs', moduleResolution: 'bundler', verbatimModuleSyntax: false };

/**
 * Types of siblings come from what is packed, so that their sources are not compiled along. Each declaration says all that it is made
 * of, so that nothing needs to be here that customers install; `npm run check` compares the types.
 */
const compilerConfig = (folder: string, stage: string, siblings: readonly Manifest[], options: object) => ({
  extends: path.join(folder, 'tsconfig.json'),
  compilerOptions: {
    noEmit: false,
    noCheck: true,
    declaration: true,
    isolatedDeclarations: true,
    rewriteRelativeImportExtensions: true,
    rootDir: path.join(folder, 'src'),
    ...options,
    paths: Object.fromEntries(
      siblings.flatMap(({ name, exports }) =>
        Object.entries(exports).map(([entry, source]) => [
          path.posix.join(name, entry),
          [path.join(stageOf(path.dirname(stage), name), builtPath(source, '.d.ts'))],
        ]),
      ),
    ),
    typeRoots: [inModules('@types')],
  },
  include: [path.join(folder, 'src')],
  exclude: ['test.ts', 'test-support/**'].map((test) => path.join(folder, `src/**/*${test}`)),
});

/** The compiler leaves the `.ts` of imports in declarations, which TypeScript 4 does not read. */
const renameImports = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = path.join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/((?:from |import\()['"]\.[^'"\n]*)\.ts(?=['"])/g, '$1.js'));
  }
};

const stageOf = (into: string, name: string): string => path.join(into, name.replace(/^.*\//, ''));

const writeManual = async ({ man, bin }: Manifest, folder: string, stage: string): Promise<void> => {
  const [main] = Object.values(bin ?? {});
  if (!man || !main) return;
  const { stdout } = await run(process.execPath, [path.join(folder, main), 'man']);
  await writeFile(path.join(stage, man), stdout);
};

const compilePackage = async (
  folder: string,
  stage: string,
  manifest: Manifest,
  manifests: readonly Manifest[],
): Promise<void> => {
  const compile = async (options: object): Promise<void> => {
    const config = path.join(stage, 'tsconfig.json');
    await writeFile(config, JSON.stringify(compilerConfig(folder, stage, manifests, options)));
    await run(process.execPath, [tsc, '-p', config]);
    await rm(config);
  };
  await compile({ outDir: path.join(stage, MODULES) });
  if (isLibrary(manifest)) {
    const outDir = path.join(stage, COMMONJS);
    await compile({ ...commonJs, outDir });
    await writeFile(path.join(outDir, 'package.json'), '{"type":"commonjs"}\n');
  }
  await renameImports(path.join(stage, MODULES));
  const packageJson = packedManifest(manifest, manifests);
  await writeFile(path.join(stage, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  await writeManual(manifest, folder, stage);
};

/** Builds a package of `packages/clients` below `into`, and resolves to its tarball. `siblings` were packed before it. */
export const pack = async (name: string, into: string, siblings: readonly string[] = []): Promise<string> => {
  const folder = path.join(root, 'packages/clients', name);
  const stage = path.join(into, name);
  const manifests = await Promise.all(
    siblings.map((sibling) => readManifest(path.join(root, 'packages/clients', sibling))),
  );
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  const { n8n, ...manifest } = await readManifest(folder);
  if (n8n) await bundleNodes(folder, stage, { ...manifest, n8n });
  else await compilePackage(folder, stage, manifest, manifests);
  await cp(path.join(folder, 'README.md'), path.join(stage, 'README.md'));
  await cp(path.join(root, 'LICENSE'), path.join(stage, 'LICENSE'));
  for (const { name: sibling } of manifests)
    await cp(stageOf(into, sibling), path.join(stage, 'node_modules', sibling), { recursive: true });
  const flags = ['--json', '--ignore-scripts', '--no-update-notifier', '--pack-destination', into];
  const { stdout } = await run('npm', ['pack', ...flags], { cwd: stage });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return renameByContent(path.join(into, filename), name, manifest.version);
};

const HASH_CHARACTERS = 12;

/**
 * Gives a file the name of its version and content. Lock files pin the bytes of an address, so an address never gets others, and what
 * changed between two releases has another one.
 */
export const renameByContent = async (file: string, name: string, version: string): Promise<string> => {
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, HASH_CHARACTERS);
  const target = path.join(path.dirname(file), `${name}-${version}-${hash}${path.extname(file)}`);
  await rename(file, target);
  return target;
};
