import { Readable } from 'node:stream';
import type { GetObjectCommandOutput, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { expecting } from '@tds/base';
import { OBJECT_CONNECTION_MS, OBJECT_MS } from '@tds/contracts';
import {
  assertObjectKey,
  type ByteRange,
  type ObjectStat,
  type ObjectStore,
  type S3ObjectsConfig,
  type StoredObject,
} from './object-store.ts';
import { type SpooledData, spool } from './spool.ts';

const ATTEMPTS = 3;
/** Of the requests that ask for one object each, whether it is there. */
const MAX_CONCURRENT_STATS = 16;

type Sdk = typeof import('@aws-sdk/client-s3');
type Store = { readonly sdk: Sdk; readonly client: S3Client };

const openStore = async ({ region, endpoint, credentials }: S3ObjectsConfig): Promise<Store> => {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(credentials ? { credentials } : {}),
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    maxAttempts: ATTEMPTS,
    // Other stores do not know the SDK's newer checksums; each put sends its SHA-256.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The client writes to the console by itself; errors are thrown, and the caller logs them.
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    requestHandler: { connectionTimeout: OBJECT_CONNECTION_MS, requestTimeout: OBJECT_MS },
  });
  return { sdk, client };
};

const statusOf = (thrown: unknown): number | undefined =>
  (thrown as Partial<S3ServiceException>).$metadata?.httpStatusCode;

/** Null in place of "there is no such object". */
const orNull = expecting((error) => statusOf(error) === 404, null);

type Place = { readonly Bucket: string; readonly Key: string };

const statAt = async ({ sdk, client }: Store, place: Place): Promise<ObjectStat | null> => {
  const head = await client.send(new sdk.HeadObjectCommand(place)).catch(orNull);
  if (!head) return null;
  return {
    bytes: head.ContentLength ?? 0,
    sha256: head.Metadata?.sha256 ?? '',
    contentType: head.ContentType ?? null,
    createdAt: head.LastModified ?? new Date(0),
  };
};

type PlaceOf = (key: string) => Place;

const findExistingKeys = async (
  store: Store,
  placeOf: PlaceOf,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const queue = new Set(keys).values();
  const existingKeys = new Set<string>();
  const statNext = async () => {
    for (const key of queue) if (await statAt(store, placeOf(key))) existingKeys.add(key);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_STATS }, statNext));
  return existingKeys;
};

/** Writes the object unless there is one; resolves to the one that is there. */
const uploadTo = async (
  { sdk, client }: Store,
  place: Place,
  { content, contentType }: { content: SpooledData; contentType: string | undefined },
): Promise<StoredObject> => {
  const request = {
    ...place,
    Body: content.open(),
    ContentLength: content.bytes,
    ChecksumSHA256: Buffer.from(content.sha256, 'hex').toString('base64'),
    Metadata: { sha256: content.sha256 },
    IfNoneMatch: '*',
    ...(contentType === undefined ? {} : { ContentType: contentType }),
  };
  try {
    await client.send(new sdk.PutObjectCommand(request));
    return { bytes: content.bytes, sha256: content.sha256 };
  } catch (error) {
    const existing = statusOf(error) === 412 ? await statAt({ sdk, client }, place) : null;
    if (!existing) throw error;
    return { bytes: existing.bytes, sha256: existing.sha256 };
  }
};

const rangeHeader = ({ start, bytes }: ByteRange) => ({ Range: `bytes=${start}-${start + bytes - 1}` });

const openAt = async (
  { sdk, client }: Store,
  place: Place,
  range?: ByteRange,
): Promise<GetObjectCommandOutput['Body'] | null> => {
  const request = { ...place, ...(range && rangeHeader(range)) };
  return (await client.send(new sdk.GetObjectCommand(request)).catch(orNull))?.Body ?? null;
};

/** The store says 416 if a range begins behind the end; here that is an empty range. */
const rangeAt = async (store: Store, place: Place, range: ByteRange): Promise<Readable | null> => {
  if (range.bytes === 0) return (await statAt(store, place)) && Readable.from([]);
  try {
    return (await openAt(store, place, range)) as Readable | null;
  } catch (error) {
    if (statusOf(error) === 416) return Readable.from([]);
    throw error;
  }
};

const bytesAt = async (store: Store, place: Place): Promise<Buffer | null> => {
  const body = await openAt(store, place);
  return body ? Buffer.from(await body.transformToByteArray()) : null;
};

/**
 * S3 objects, each written by one conditional PUT: it appears whole and once, or not at all. The SDK tries again what it
 * can: not the upload of a stream, which is for the caller to repeat.
 */
export const s3Objects = (config: S3ObjectsConfig): ObjectStore => {
  let openedStore: Promise<Store> | undefined;
  const store = (): Promise<Store> => {
    openedStore ??= openStore(config);
    return openedStore;
  };
  const place: PlaceOf = (key) => ({ Bucket: config.bucket, Key: `${config.prefix ?? ''}${key}` });
  const put: ObjectStore['put'] = async (key, data, { contentType } = {}) => {
    try {
      assertObjectKey(key);
      await using content = await spool(data);
      return await uploadTo(await store(), place(key), { content, contentType });
    } finally {
      if (data instanceof Readable) data.destroy();
    }
  };
  return {
    put,
    putAll: async (objects) => void (await Promise.all(objects.map(({ key, data }) => put(key, data)))),
    get: async (key, range) =>
      range
        ? rangeAt(await store(), place(key), range)
        : ((await openAt(await store(), place(key))) as Readable | null),
    getBytes: async (key) => bytesAt(await store(), place(key)),
    getAll: async (keys) => {
      const currentStore = await store();
      const entries = [...new Set(keys)].map(
        async (key) => [key, await bytesAt(currentStore, place(key))] as const,
      );
      return new Map((await Promise.all(entries)).flatMap(([key, data]) => (data ? [[key, data]] : [])));
    },
    findExisting: async (keys) => findExistingKeys(await store(), place, keys),
    delete: async (key) => {
      const { sdk, client } = await store();
      await client.send(new sdk.DeleteObjectCommand(place(key))).catch(orNull);
    },
    stat: async (key) => statAt(await store(), place(key)),
    // It refuses aloud.
    hidden: async () => [],
    close: async () => (await openedStore)?.client.destroy(),
  };
};
