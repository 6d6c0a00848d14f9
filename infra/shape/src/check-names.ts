import path from 'node:path';
import { replacedNames } from './names.ts';
import { sourceFiles } from './tree.ts';

// Fails if an identifier has a word that the field has another one for.
const found = replacedNames(sourceFiles(path.resolve(import.meta.dirname, '../../..')));
for (const { where, name, word } of found) console.log(`${where}  ${name}: use ${word}`);
if (found.length > 0) process.exitCode = 1;
