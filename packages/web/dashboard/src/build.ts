// node packages/web/dashboard/src/build.ts <folder> [--watch]: writes the script and the styles of the dashboard, and assets.json with their names.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { webhookKind } from '@tds/contracts';
import { type ErrorCode, errorCodes } from '@tds/errors';
import { pageWords } from '@tds/site/page-words';
import { type BuildOptions, build, context, type Metafile, type Plugin } from 'esbuild';

const [folder = '', ...flags] = process.argv.slice(2);

/** What pages say about each code. The contracts themselves stay out of the bundle. */
const remedies = Object.fromEntries(
  Object.entries(errorCodes).map(([code, { place, waitingHelps }]) => [
    code,
    { ...pageWords(code as ErrorCode), place, waitingHelps },
  ]),
);

const writeNames = ({ outputs }: Metafile): void => {
  const nameOf = (extension: string) =>
    Object.keys(outputs)
      .map((file) => path.basename(file))
      .find((name) => name.startsWith('dashboard-') && name.endsWith(extension));
  const names = { script: nameOf('.js'), style: nameOf('.css') };
  writeFileSync(path.join(folder, 'assets.json'), JSON.stringify(names));
};

const names: Plugin = {
  name: 'names',
  setup: ({ onEnd }) =>
    onEnd(({ metafile }) => {
      if (metafile) writeNames(metafile);
    }),
};

const options: BuildOptions = {
  absWorkingDir: path.resolve(import.meta.dirname, '..'),
  entryPoints: { dashboard: 'src/main.tsx' },
  outdir: path.resolve(folder),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  splitting: true,
  bundle: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  target: 'es2024',
  define: {
    'process.env.NODE_ENV': '"production"',
    REMEDIES: JSON.stringify(remedies),
    DELIVERY_EVENTS: JSON.stringify(webhookKind.options),
  },
  metafile: true,
  logLevel: 'warning',
  plugins: [names],
};

if (flags.includes('--watch')) await (await context(options)).watch();
else await build(options);
