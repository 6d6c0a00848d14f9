import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from './index.ts';

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('createTestDatabase', () => {
  it('gives each asker a database that no other one sees', async () => {
    const [one, other] = await Promise.all([createTestDatabase('messaging'), createTestDatabase('messaging')]);
    await query(one.ownerUrl, 'CREATE TABLE mine (id int)');
    await expect(query(other.ownerUrl, 'SELECT FROM mine')).rejects.toThrow('does not exist');
    await one.drop();
    await other.drop();
  });

  it('lets the running service write rows and not change tables', async () => {
    const database = await createTestDatabase('messaging');
    await query(database.ownerUrl, 'CREATE TABLE things (id int)');
    await query(database.url, 'INSERT INTO things VALUES (7)');
    expect(await query(database.url, 'SELECT id FROM things')).toEqual([{ id: 7 }]);
    await expect(query(database.url, 'DROP TABLE things')).rejects.toThrow('must be owner');
    await expect(query(database.url, 'CREATE TABLE more (id int)')).rejects.toThrow('permission denied');
    await database.drop();
  });

  it('keeps the roles of one service out of the database of another', async () => {
    const [ours, theirs] = await Promise.all([createTestDatabase('messaging'), createTestDatabase('identity')]);
    const trespassing = new URL(theirs.url);
    trespassing.pathname = new URL(ours.url).pathname;
    await expect(query(trespassing.href, 'SELECT 1')).rejects.toThrow('permission denied for database');
    await ours.drop();
    await theirs.drop();
  });
});
