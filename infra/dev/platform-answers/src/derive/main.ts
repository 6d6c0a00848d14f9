import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { derivedFolder, recordedFolder, recordedIn } from '../answers.ts';
import { deriveAll } from './derive-all.ts';
import { survivors } from './survivors.ts';

const [folder = recordedFolder] = process.argv.slice(2);
const recorded = recordedIn(folder);
const derived = deriveAll(recorded);
const survived = survivors(recorded, derived);
if (survived.length > 0) {
  process.stderr.write(`Nothing is written, since these would survive: ${survived.join(' ')}\n`);
  process.exit(1);
}
rmSync(derivedFolder, { recursive: true, force: true });
for (const { path, text } of derived) {
  mkdirSync(dirname(join(derivedFolder, path)), { recursive: true });
  writeFileSync(join(derivedFolder, path), text);
}
const bytes = derived.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
process.stdout.write(`${derived.length} files, ${Math.ceil(bytes / 1024)} KiB\n`);
