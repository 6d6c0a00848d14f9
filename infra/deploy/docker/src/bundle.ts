import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { workspaceRoot } from '@tds/servers';
import { build, type OnLoadResult, type Plugin } from 'esbuild';

/**
 * `node bundle.ts <folder> <program>...`: writes each program as one file `.js`, with what it loads on demand beside it, and the data of the
 * packages in it at their places in the workspace. Programs of a package, and its workers, lie in its `src/`.
 */
const [target = '', ...patterns] = process.argv.slice(2);
const inRoot = (...parts: string[]): string => path.join(workspaceRoot, ...parts);
const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
/** Texts of pages are Markdown that is served. */
const SERVED = /\/packages\/web\/site\/content\//;
const CODE = /(\.tsx?|\.md|\/ts\w+\.json|\/turbo\.json|\/node_modules|\/test-support|\/testing|\/generated)$/;

/** Paths that begin at a source file begin at its bundle. */
const readSource = (file: string, folder: string): OnLoadResult => {
  const place = path.relative(inRoot(folder), path.dirname(file));
  const contents = readFileSync(file, 'utf8')
    .replaceAll(/(?<=new URL\('[\w-]+\.)ts(?=', import\.meta\.url\))/g, 'js')
    .replaceAll(/(?<!\.js', )import\.meta\.url/g, `new URL('${place}/', import.meta.url)`)
    .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${place}')`);
  return { contents, loader: 'ts' };
};

/** Prisma's compiler as bytes in a file: as text in a module it is in memory twice. */
const readCompiler = async (file: string, folder: string): Promise<OnLoadResult> => {
  const { wasm } = (await import(file)) as { wasm: string };
  mkdirSync(path.join(target, folder), { recursive: true });
  writeFileSync(path.join(target, folder, 'compiler.wasm'), Buffer.from(wasm, 'base64'));
  const read = `readFileSync(import.meta.dirname + '/compiler.wasm')`;
  return { contents: `import { readFileSync } from 'node:fs';\nexport const wasm = ${read};` };
};

const forNode = (folder: string): Plugin => ({
  name: 'node',
  setup: ({ onLoad, onResolve }) => {
    // An `import` of node:http reads all that it exports, and so loads Node's fetch.
    onResolve({ filter: /^[\w:/]+$/ }, ({ path: name, kind }) =>
      kind === 'import-statement' && isBuiltin(name) ? { path: name, namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule('${name}')`,
    }));
    onLoad({ filter: /wasm-base64\.mjs$/ }, ({ path: file }) => readCompiler(file, folder));
    onLoad({ filter: /\.ts$/ }, ({ path: file }) => readSource(file, folder));
  },
});

/** Traces name the lines of the workspace: the mappings of libraries would be six sevenths of what an error loads. */
const dropLibraries = (file: string, folder: string): void => {
  const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[]; mappings: string };
  const places = map.sources.map((source) => path.resolve(path.dirname(file), source));
  const mappings = decode(map.mappings).map((line) =>
    line
      .map((all) => (places[all[1] ?? -1]?.includes('/node_modules/') ? ([all[0]] as [number]) : all))
      .filter(({ length }, at, all) => length > 1 || all[at - 1]?.length !== 1),
  );
  const sources = places.map((place) => path.relative(inRoot(folder), place));
  writeFileSync(file, JSON.stringify({ ...map, sources, mappings: encode(mappings) }));
};

const packages = new Set<string>();
const bundle = async (folder: string, entryPoints: string[]): Promise<void> => {
  const { metafile } = await build({
    ...{ absWorkingDir: workspaceRoot, outdir: path.resolve(target, folder), outbase: folder, entryPoints },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24', metafile: true },
    // An error that Node prints itself quotes a line.
    ...{
      minifySyntax: true,
      minifyWhitespace: true,
      lineLimit: 200,
      sourcemap: 'linked',
      sourcesContent: false,
    },
    ...{ entryNames: folder === 'services' ? '[dir]/[name]' : '[name]', mainFields: ['module', 'main'] },
    // A binary that Piscina goes without.
    external: ['@napi-rs/nice'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;`,
    },
    inject: [inRoot('packages/kit/src/run/source-lines.ts')],
    plugins: [forNode(folder)],
    logLevel: 'warning',
  });
  for (const file of Object.keys(metafile.outputs))
    if (file.endsWith('.map')) dropLibraries(inRoot(file), folder);
  for (const file of Object.keys(metafile.inputs))
    for (const [own] of file.matchAll(/^(?:services|packages|infra)\/.*?(?=\/src\/)/g)) packages.add(own);
};

// What services show of themselves is one program: it shares its contracts.
const groups = Map.groupBy(globSync(patterns, { cwd: workspaceRoot }).toSorted(), (file) =>
  file.endsWith('/surface.ts') ? 'services' : file.replace(/(?:\/src\/|\/node_modules\/).*/, '/src'),
);
for (const [folder, files] of groups) await bundle(folder, files);
const filter = (source: string): boolean => SERVED.test(source) || !CODE.test(source);
for (const folder of packages) cpSync(inRoot(folder), path.join(target, folder), { recursive: true, filter });
for (const file of ['package.json', 'LICENSE']) cpSync(inRoot(file), path.join(target, file));
cpSync(inRoot('packages/web/site', FONT), path.join(target, FONT));
