import path from 'node:path';
import { command } from '@tds/servers/command';
import { replacedNames } from './names.ts';
import { sourceFiles } from './tree.ts';

command('check:names', 'Fails if an identifier has a word that the field has another one for.').parse();

const names = replacedNames(sourceFiles(path.resolve(import.meta.dirname, '../../../..')));
for (const { where, name, word } of names) console.log(`${where}  ${name}: use ${word}`);
if (names.length > 0) process.exitCode = 1;
