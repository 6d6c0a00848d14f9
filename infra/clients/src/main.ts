import path from 'node:path';
import { command } from '@tds/command-line';
import { pack } from './pack.ts';

const { into } = command(
  'npm run pack --',
  'Packs the SDK and the command line as customers would install them. Publishes nothing.',
)
  .option(
    '--into <folder>',
    'where the tarballs go',
    path.resolve(import.meta.dirname, '../../../.local/packages'),
  )
  .parse()
  .opts();

console.log(await pack('sdk', into));
console.log(await pack('cli', into, ['sdk']));
