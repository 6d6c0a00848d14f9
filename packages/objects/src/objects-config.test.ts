import { describe, expect, it } from '@jest/globals';
import { objectsConfig } from './objects-config.ts';

describe('objectsConfig', () => {
  it('a database alone means Postgres', () => {
    expect(objectsConfig({ OBJECTS_DATABASE_URL: 'postgres://u:p@db/objects' })).toEqual({
      kind: 'postgres',
      databaseUrl: 'postgres://u:p@db/objects',
    });
  });

  it('a bucket means S3, with credentials only if both parts are given', () => {
    const bucket = { OBJECTS_S3_BUCKET: 'b', OBJECTS_S3_ACCESS_KEY_ID: 'id' };
    expect(objectsConfig(bucket)).toMatchObject({ kind: 's3', bucket: 'b', region: 'us-east-1' });
    expect(objectsConfig(bucket)).not.toHaveProperty('credentials');
    expect(objectsConfig({ ...bucket, OBJECTS_S3_SECRET_ACCESS_KEY: 'key' })).toMatchObject({
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    });
  });

  it('neither is refused, with the names of both', () => {
    expect(() => objectsConfig({})).toThrow('OBJECTS_DATABASE_URL is missing');
  });
});
