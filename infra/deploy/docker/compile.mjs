// Loads modules while an image is made, so that what Node has compiled of them is in the image: a container starts sooner.
import { globSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';

const files = process.argv.slice(2).flatMap((pattern) => globSync(pattern));
if (files.length === 0) throw new Error('There is nothing to compile');
for (const file of files) await import(path.resolve(file));
flushCompileCache();
