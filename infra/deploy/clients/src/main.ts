import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { command } from '@tds/servers/command';
import { pack, renameByContent } from './pack.ts';

const { into } = command(
  'npm run pack --',
  'Writes what customers install: the packed clients, and the module for Python. Publishes nothing.',
)
  .option(
    '--into <folder>',
    'where the files go',
    path.resolve(import.meta.dirname, '../../../../.local/packages'),
  )
  .parse()
  .opts();

console.log(await pack('sdk', into));
for (const name of ['cli', 'langchain']) {
  console.log(await pack(name, into, ['sdk']));
  await rm(path.join(into, name), { recursive: true });
}
console.log(await pack('n8n', into));
for (const stage of ['sdk', 'n8n']) await rm(path.join(into, stage), { recursive: true });
const module = path.join(into, 'transcript_delivery.py');
await cp(
  path.resolve(import.meta.dirname, '../../../../packages/clients/python/transcript_delivery.py'),
  module,
);
const [, version = ''] = /^__version__ = "(.+)"$/m.exec(await readFile(module, 'utf8')) ?? [];
console.log(await renameByContent(module, 'transcript_delivery', version));
