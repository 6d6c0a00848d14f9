import path from 'node:path';
import { command } from '@tds/servers/command';
import { slowPatterns } from './patterns.ts';
import { sourceFiles } from './tree.ts';

command(
  'check:patterns',
  'Fails if some text keeps a pattern of what customers and operators run busy for longer than its length.',
).parse();

const slow = slowPatterns(sourceFiles(path.resolve(import.meta.dirname, '../../../..')));
for (const { where, pattern } of slow) console.log(`Not linear: ${where}  ${pattern}`);
if (slow.length > 0) process.exitCode = 1;
