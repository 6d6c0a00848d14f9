import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/** The manifest of a package of nodes for n8n. */
export type NodesManifest = {
  readonly n8n: { readonly nodes: readonly string[]; readonly credentials: readonly string[] };
  readonly scripts?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
};

/** What n8n gives at run time. It is optional, because npm would install 143 MB beside n8n's own. */
const HOST = 'n8n-workflow';

const isAsset = (file: string): boolean => /\.(?:svg|json)$/.test(file) || path.extname(file) === '';

/**
 * Builds nodes for n8n, which loads single files as CommonJS and whose verified nodes may have no dependency: so each contains the SDK.
 */
export const bundleNodes = async (
  folder: string,
  stage: string,
  { scripts: _scripts, dependencies: _contained, devDependencies: _tools, ...manifest }: NodesManifest,
): Promise<void> => {
  const sources = path.join(folder, 'src');
  const outdir = path.join(stage, 'dist');
  const entries = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map((output) =>
    path.posix.relative('dist', output).replace(/\.js$/, ''),
  );
  await build({
    entryPoints: entries.map((entry) => ({ in: path.join(sources, `${entry}.ts`), out: entry })),
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: [HOST],
  });
  await cp(sources, outdir, { recursive: true, filter: (file) => isAsset(path.basename(file)) });
  const packageJson = {
    ...manifest,
    type: 'commonjs',
    peerDependencies: { [HOST]: '*' },
    peerDependenciesMeta: { [HOST]: { optional: true } },
  };
  await writeFile(path.join(stage, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
};
