import { createHash, randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ensureServiceDatabase,
  migrate,
  nameServiceDatabase,
  prismaDirsOf,
  readMigrations,
  urlFor,
  withClient,
} from '@tds/migrations';
import { workspaceRoot } from './paths.ts';
import { checkOutPrisma } from './test-support/released-tree.ts';
import { describeRows, insertRows, readRows } from './test-support/sample-rows.ts';
import { temporaryDir } from './test-support/temporary-dir.ts';
import { sharedAddress } from './testing/shared-servers.ts';

const RELEASED = path.join(import.meta.dirname, 'test-support/released-migrations.json');
const { commits, migrations } = JSON.parse(readFileSync(RELEASED, 'utf8'));
const release = String(Object.keys(commits).at(-1));
const folder = temporaryDir();
const services = [
  ...new Set(Object.keys(migrations[release]).flatMap((name) => /^services\/([^/]+)/.exec(name)?.[1] ?? [])),
];

beforeAll(() => checkOutPrisma(commits[release], folder.dir));
afterAll(() => folder.remove());

const TEXTS = `SELECT proname, md5(prosrc) AS text FROM pg_proc WHERE pg_get_userbyid(proowner) = current_user ORDER BY 1, 2`;

/** An empty database of a service, with its roles. */
const createEmpty = async (service: string) => {
  const adminUrl = sharedAddress('POSTGRES_URL');
  const named = nameServiceDatabase(service, () => 'test');
  const database = `test_upgrade_${randomUUID().slice(0, 8)}`;
  const { ownerUrl } = await ensureServiceDatabase(adminUrl, { ...named, database });
  const drop = () => withClient(adminUrl, (admin) => admin.query(`DROP DATABASE "${database}" WITH (FORCE)`));
  return { ownerUrl, url: urlFor(adminUrl, database), drop };
};

it('the record of a release is that of its commit', () => {
  const owners = globSync('{services,packages}/*/prisma', { cwd: folder.dir });
  const texts = owners.flatMap((prismaDir) =>
    readMigrations([path.join(folder.dir, prismaDir)]).map(({ name, sql }) => [
      `${path.dirname(prismaDir)}/${name}`,
      createHash('sha256').update(sql).digest('hex'),
    ]),
  );
  expect(migrations[release]).toEqual(Object.fromEntries(texts));
});

describe(`from ${release} to this tree and back`, () => {
  it.each([...services, 'objects'])(
    '%s keeps its rows, takes those of each, and has the functions of each',
    async (service) => {
      const { ownerUrl, url, drop } = await createEmpty(service);
      const dirs = prismaDirsOf(service);
      const before = dirs.map((dir) => path.join(folder.dir, path.relative(workspaceRoot, dir)));
      const apply = (prismaDirs: readonly string[]) => migrate({ databaseUrl: ownerUrl, prismaDirs });
      const readTexts = () => withClient(ownerUrl, async (owner) => (await owner.query(TEXTS)).rows);

      await apply(before);
      const earlier = await describeRows(url);
      expect(await insertRows(url, earlier)).toEqual([]);
      const rows = await readRows(url, earlier);
      const texts = await readTexts();

      await apply(dirs);
      expect(await readRows(url, earlier)).toEqual(rows);
      const later = await describeRows(url);
      expect(await insertRows(url, later)).toEqual([]);
      const laterRows = await readRows(url, later);
      const laterTexts = await readTexts();

      await apply(before);
      expect(await readRows(url, later)).toEqual(laterRows);
      expect(await readTexts()).toEqual(expect.arrayContaining(texts));
      expect(await insertRows(url, earlier)).toEqual([]);
      expect(await apply(before)).toEqual({ migrations: [], functions: [], dropped: [] });

      await apply(dirs);
      expect(await readTexts()).toEqual(laterTexts);
      await drop();
    },
  );
});
