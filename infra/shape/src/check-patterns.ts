import path from 'node:path';
import { slowPatterns } from './patterns.ts';
import { sourceFiles } from './tree.ts';

// Fails if some text keeps a pattern of what runs at customers and operators busy for longer than its length.
const slow = slowPatterns(sourceFiles(path.resolve(import.meta.dirname, '../../..')));
for (const { where, pattern } of slow) console.log(`Not linear: ${where}  ${pattern}`);
if (slow.length > 0) process.exitCode = 1;
