import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { files } from './files.ts';
import { folder } from './read-data.ts';

for (const [name, text] of Object.entries(files)) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
