import { statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServiceDatabases, withClient } from '@tds/migrations';
import { ensurePostgres, type RunningPostgres } from './postgres.ts';
import { openSecrets } from './private-files.ts';
import { temporaryDir } from './test-support/temporary-dir.ts';

describe('createServiceDatabases', () => {
  const folder = temporaryDir();
  const secretsFile = path.join(folder.dir, 'secrets.json');
  const services = ['credits-ledger', 'identity'];
  let server: RunningPostgres;

  beforeAll(async () => {
    server = await ensurePostgres({ dir: path.join(folder.dir, 'postgres'), throwaway: true });
  });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  const create = () => createServiceDatabases(server.url, services, openSecrets(secretsFile));
  const query = (url = '', sql = 'SELECT 1') =>
    withClient(url, async (client) => (await client.query(sql)).rows);

  const urlWith = (url: string, password: string): string => Object.assign(new URL(url), { password }).href;

  it('can be repeated, with the same addresses and data', async () => {
    const first = await create();
    await query(first.identity?.ownerUrl, 'CREATE TABLE kept AS SELECT 7 AS id');
    const second = await create();
    expect(second).toEqual(first);
    expect(await query(second.identity?.url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
  });

  it('lets the running service use the rows of every schema that its owner makes', async () => {
    const { identity } = await create();
    await query(identity?.ownerUrl, 'CREATE SCHEMA messaging; CREATE TABLE messaging.outbox (id serial)');
    await query(identity?.url, 'INSERT INTO messaging.outbox DEFAULT VALUES');
    await expect(query(identity?.url, 'TRUNCATE messaging.outbox')).rejects.toThrow('permission denied');
  });

  it('keeps one service out of the database of another', async () => {
    const urls = await create();
    const trespassing = urls.identity?.ownerUrl.replace('/identity?', '/credits_ledger?');
    await expect(query(trespassing)).rejects.toThrow('permission denied for database');
  });

  it.each(['postgres', 'template1'])('keeps every service out of the database %s', async (database) => {
    const { identity } = await create();
    for (const url of [identity?.url, identity?.ownerUrl]) {
      const elsewhere = url?.replace('/identity?', `/${database}?`);
      await expect(query(elsewhere)).rejects.toThrow('permission denied for database');
    }
  });

  it('gives a role back its password and time limits, and forgets what it has set for itself, everywhere and in one database', async () => {
    const { identity } = await create();
    const [role, url] = ['identity_app', String(identity?.url)];
    const held = `SELECT setdatabase, setconfig FROM pg_db_role_setting WHERE setrole = '${role}'::regrole`;
    const limits = await query(url, held);
    expect(String(limits[0]?.setconfig)).toMatch(
      /^TimeZone=UTC,statement_timeout=\d+,lock_timeout=\d+,idle_in_transaction_\w+=\d+$/,
    );
    await query(url, `ALTER ROLE ${role} PASSWORD 'mine'`);
    for (const setting of [
      `ALTER ROLE ${role} SET search_path = 'elsewhere'`,
      `ALTER ROLE ${role} IN DATABASE identity SET statement_timeout = 60000`,
      `ALTER ROLE ${role} IN DATABASE credits_ledger SET idle_session_timeout = 1`,
      `ALTER ROLE CURRENT_USER SET default_transaction_read_only = on`,
    ])
      await query(urlWith(url, 'mine'), setting);
    await create();
    await expect(query(urlWith(url, 'mine'))).rejects.toThrow('password authentication failed');
    expect(await query(url, held)).toEqual(limits);
    expect(await query(url, 'SHOW search_path')).toEqual([{ search_path: '"$user", public' }]);
  });

  it('gives sessions of both roles UTC, whatever zone the server or the database has', async () => {
    const { identity } = await create();
    await query(server.url, "ALTER DATABASE identity SET timezone = 'Asia/Tokyo'");
    for (const url of [identity?.url, identity?.ownerUrl])
      expect(await query(url, 'SHOW timezone')).toEqual([{ TimeZone: 'UTC' }]);
  });

  it('keeps the passwords to the user who runs it', async () => {
    await create();
    expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
  });
});
