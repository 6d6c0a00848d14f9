import { describe, expect, it } from '@jest/globals';
import { databaseNames, postgresOf } from '@tds/local';
import { buildProjectFile, postgresPlaces } from './project-file.ts';

const servers = (postgres: 'one' | 'each') =>
  Object.keys(buildProjectFile({ search: 2 }, postgres, '/secrets').services).filter((name) =>
    name.startsWith('postgres'),
  );

describe('the file of a project', () => {
  it('has one Postgres, or one for each database', () => {
    expect(servers('one')).toEqual(['postgres']);
    expect(servers('each').toSorted()).toEqual(databaseNames.map(postgresOf).toSorted());
  });

  it('gives each Postgres its own address, volume and password, and has the databases wait for all', () => {
    const file = buildProjectFile({}, 'each', '/secrets');
    const { 'postgres-identity': identity, databases } = file.services as Record<string, object>;
    const addresses = Object.values(postgresPlaces('each'));
    expect(new Set(addresses).size).toBe(databaseNames.length);
    expect(identity).toMatchObject({
      environment: { POSTGRES_PASSWORD_FILE: '/run/secrets/postgres-identity' },
      secrets: ['postgres-identity'],
      volumes: ['postgres-identity:/var/lib/postgresql'],
      networks: { postgres: { ipv4_address: postgresPlaces('each')['postgres-identity'] } },
    });
    expect(file).toMatchObject({
      secrets: { 'postgres-identity': { file: '/secrets/postgres-identity-password' } },
    });
    expect(databases).toMatchObject({ depends_on: { 'postgres-objects': { condition: 'service_healthy' } } });
  });
});
