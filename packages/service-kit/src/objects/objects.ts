import type { ObjectStore, ObjectsConfig } from './object-store.ts';
import { postgresObjects } from './postgres-objects.ts';
import { s3Objects } from './s3-objects.ts';

export const createObjects = (config: ObjectsConfig): ObjectStore =>
  config.kind === 's3' ? s3Objects(config) : postgresObjects(config);
