import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { watchSources } from './watch-sources.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tds-watched-'));
const ending = new AbortController();
afterEach(() => {
  ending.abort();
  rmSync(folder, { recursive: true });
});
const save = (file: string) => writeFileSync(path.join(folder, file), `${Math.random()}`);

it('a change of a source is noticed once, also before it is waited for, and what is made is no source', async () => {
  for (const name of ['src/store/prisma', 'node_modules'])
    mkdirSync(path.join(folder, name), { recursive: true });
  save('src/index.ts');
  const sources = watchSources([folder], ending.signal);
  save('src/index.ts');
  await sources.next();
  let isNoticed = false;
  const next = sources.next().then(() => {
    isNoticed = true;
  });
  save('src/store/prisma/client.ts');
  save('node_modules/made.js');
  const first = await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 1_000, 'nothing'))]);
  expect([first, isNoticed]).toEqual(['nothing', false]);
  ending.abort();
  await next;
});
