import { type DeliveredTranscript, MINUTE_MS } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import type { Passages } from './passages.ts';
import type { StoredTranscripts } from './transcript-memory.ts';
import type { LinkText, LinkTextRequest } from './write-link-text.ts';

const MEMORY_BYTES = 16 * 1_024 * 1_024;
const ENTRY_OVERHEAD_BYTES = 1_024;
const KEPT_MS = 10 * MINUTE_MS;

type LinkRequest = Pick<LinkTextRequest, 'quote' | 'form' | 'accountName'> & {
  readonly transcript: DeliveredTranscript;
};

/** What links show, by all that it is made of: whether a link is live is asked for each reader. */
export const createLinkMemory = (
  stored: Pick<StoredTranscripts, 'load'>,
  passages: Pick<Passages, 'writeLink'>,
) => {
  const texts = new LRUCache<string, LinkText, LinkRequest>({
    maxSize: MEMORY_BYTES,
    maxEntrySize: MEMORY_BYTES / 2,
    sizeCalculation: ({ text }) => 2 * text.length + ENTRY_OVERHEAD_BYTES,
    ttl: KEPT_MS,
    fetchMethod: async (_key, _stale, { context: { transcript, ...request } }) => {
      const { raw } = await stored.load(transcript);
      const { video, language } = transcript;
      return await passages.writeLink({ ...request, video, language, file: raw });
    },
  });
  return {
    read: (request: LinkRequest): Promise<LinkText> => {
      const { sha256, language, video } = request.transcript;
      const key = JSON.stringify([sha256, language, video, request.quote, request.form, request.accountName]);
      return texts.forceFetch(key, { context: request });
    },
  };
};
export type LinkMemory = ReturnType<typeof createLinkMemory>;
