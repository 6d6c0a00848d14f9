import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';

const inRoot = (file: string): string => path.join(workspaceRoot, file);
const { houses } = (await import(pathToFileURL(inRoot('.dependency-cruiser.rooms.mjs')).href)) as {
  houses: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
};
const [, ...sections] = readFileSync(inRoot('docs/rooms.md'), 'utf8').split('\n## ');

it('the map of rooms has each room of each house, in the order in which one may import another', () => {
  const drawn = sections.map((section) => {
    const [house = '', ...lines] = section.split('\n');
    const cells = lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|')[1] ?? '');
    return [
      house,
      cells.slice(1).flatMap((cell) => [...cell.matchAll(/`([\w/-]+)\/`/g)].map(([, room]) => room)),
    ];
  });
  const walled = Object.entries(houses).map(([house, rooms]) => [house, Object.keys(rooms).slice(1)]);
  expect(Object.fromEntries(drawn)).toEqual(Object.fromEntries(walled));
});
