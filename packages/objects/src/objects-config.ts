import { confidential, loadConfig, secret, secretUrl, url } from '@tds/base';
import { z } from 'zod';
import type { ObjectStore, ObjectsConfig } from './object-store.ts';
import { postgresObjects } from './postgres-objects.ts';
import { s3Objects } from './s3-objects.ts';

const objectsEnvironment = z
  .object({
    OBJECTS_DATABASE_URL: secretUrl('postgres', 'postgresql').optional(),
    OBJECTS_S3_BUCKET: z.string().optional(),
    OBJECTS_S3_REGION: z.string().default('us-east-1'),
    OBJECTS_S3_ENDPOINT: url('http', 'https').optional(),
    OBJECTS_S3_ACCESS_KEY_ID: confidential(z.string()).optional(),
    OBJECTS_S3_SECRET_ACCESS_KEY: secret().optional(),
    OBJECTS_S3_PREFIX: z.string().default(''),
  })
  .refine(
    (settings) => settings.OBJECTS_DATABASE_URL !== undefined || settings.OBJECTS_S3_BUCKET !== undefined,
    {
      path: ['OBJECTS_DATABASE_URL'],
      message: 'set it, or OBJECTS_S3_BUCKET',
    },
  );

/** Only services that use objects read them. */
export const objectFields = objectsEnvironment.shape;

/** The store of objects: the bucket if one is named, else Postgres. Throws ConfigError. */
export const objectsConfig = (environment: NodeJS.ProcessEnv): ObjectsConfig => {
  const settings = loadConfig(objectsEnvironment, environment, { service: 'objects' });
  const bucket = settings.OBJECTS_S3_BUCKET;
  if (bucket === undefined) {
    return { kind: 'postgres', databaseUrl: settings.OBJECTS_DATABASE_URL?.reveal() ?? '' };
  }
  const accessKeyId = settings.OBJECTS_S3_ACCESS_KEY_ID;
  const secretAccessKey = settings.OBJECTS_S3_SECRET_ACCESS_KEY?.reveal();
  return {
    kind: 's3',
    bucket,
    region: settings.OBJECTS_S3_REGION,
    endpoint: settings.OBJECTS_S3_ENDPOINT,
    prefix: settings.OBJECTS_S3_PREFIX,
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  };
};

export const createObjects = (config: ObjectsConfig): ObjectStore =>
  config.kind === 's3' ? s3Objects(config) : postgresObjects(config);
