import { setTimeout as delay } from 'node:timers/promises';
import { gateway } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Kit } from '@tds/kit';
import type { Objects } from '@tds/objects';
import { type Download, isDownload, toDownload } from '@tds/site';
import { LRUCache } from 'lru-cache';
import type { Surface } from '../surface.ts';
import type { Answer } from '../wire/index.ts';
import { FOR_EVER, serveAs } from './pages.ts';

const RETRY_MS = 30_000;
const MAX_REMEMBERED = 16;
/** Packages are fetched without a key, and the store has other work. */
const MAX_READS = 4;

const toKey = (name: string): string => `${gateway.objects.downloads.prefix}${name}`;

/**
 * Stores the packages of this release beside those of earlier ones, so lock files that name them work after the next release, and at a
 * gateway that still runs the release before.
 */
export const keepDownloads = (
  { objects, log, onStop }: Pick<Kit<Surface>, 'objects' | 'log' | 'onStop'>,
  downloads: readonly Download[],
  retryMs = RETRY_MS,
): void => {
  if (downloads.length === 0) return;
  const ending = new AbortController();
  const files = downloads.map(({ path, body }) => ({ key: toKey(path.replace(/^.*\//, '')), data: body }));
  const keep = async (): Promise<void> => {
    while (!ending.signal.aborted)
      try {
        return await objects.putAll(files);
      } catch (error) {
        log.warn('the packages of this release are not stored yet', { error });
        // The process stopped during the pause.
        await delay(retryMs, undefined, { signal: ending.signal }).catch(() => {});
      }
  };
  const keeping = keep();
  onStop('downloads', async () => {
    ending.abort();
    await keeping;
  });
};

const unavailable = (cause?: unknown) =>
  serviceError('service_unavailable', { nothingBegun: true, retryAfterSeconds: 1, cause });

/** Answers a package of another release by its file name. */
export const createKeptDownloads = (objects: Pick<Objects, 'getBytes'>) => {
  const answers = new LRUCache<string, Answer>({ max: MAX_REMEMBERED });
  let reads = 0;
  return async (name: string): Promise<Answer> => {
    const cached = answers.get(name);
    if (cached !== undefined) return cached;
    if (!isDownload(name)) throw serviceError('not_found');
    if (reads >= MAX_READS) throw unavailable();
    reads += 1;
    const body = await objects
      .getBytes(toKey(name))
      .catch((cause) => {
        throw unavailable(cause);
      })
      .finally(() => {
        reads -= 1;
      });
    if (body === null) throw serviceError('not_found');
    const [, answer] = serveAs(FOR_EVER)(toDownload(name, body));
    answers.set(name, answer);
    return answer;
  };
};
