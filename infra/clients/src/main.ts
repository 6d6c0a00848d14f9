import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { command } from '@tds/command-line';
import { pack } from './pack.ts';

const { into } = command(
  'npm run pack --',
  'Writes what customers install: the packed SDK and command line, and the module for Python. Publishes nothing.',
)
  .option(
    '--into <folder>',
    'where the files go',
    path.resolve(import.meta.dirname, '../../../.local/packages'),
  )
  .parse()
  .opts();

console.log(await pack('sdk', into));
console.log(await pack('cli', into, ['sdk']));
for (const built of ['sdk', 'cli']) await rm(path.join(into, built), { recursive: true });
const module = 'transcript_delivery.py';
await cp(path.resolve(import.meta.dirname, '../../../clients/python', module), path.join(into, module));
console.log(path.join(into, module));
