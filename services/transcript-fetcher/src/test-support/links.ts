import { randomUUID } from 'node:crypto';
import { type RequestOf, transcriptFetcher } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import type { startSurroundings } from './start-fetcher.ts';

type Around = Pick<Awaited<ReturnType<typeof startSurroundings>>, 'call' | 'get' | 'library'>;
type LinkRequest = RequestOf<typeof transcriptFetcher.createLink>;

export const LINKED_VIDEO = 'manualEn001';

/** An account that has received a transcript, and what it does with links. */
export const createLinker = (around: Around, accountId = randomUUID()) => {
  const keyId = randomUUID();
  const call = around.call;
  return {
    ...{ accountId, keyId },
    async receive() {
      await around.get({ videoId: LINKED_VIDEO, accountId });
      const read = {
        accountId,
        videoId: LINKED_VIDEO,
        language: 'en',
        kind: 'manual',
        translated: false,
      } as const;
      await around.library.record([read]);
    },
    create: (fields: Partial<LinkRequest> = {}) =>
      call(
        transcriptFetcher.createLink,
        {
          ...{ accountId, keyId, personId: accountId, videoId: LINKED_VIDEO, days: 30, idempotencyKey: null },
          ...fields,
        },
        testContext(),
      ),
    list: async () => (await call(transcriptFetcher.listLinks, { accountId }, testContext())).links,
    get: (linkId: string) => call(transcriptFetcher.getLink, { accountId, linkId }, testContext()),
    end: (linkId: string, by: string | null = null) =>
      call(transcriptFetcher.endLink, { accountId, linkId, keyId: by }, testContext()),
    open: (linkId: string, isCounted = true) =>
      call(transcriptFetcher.openLink, { linkId, isCounted }, testContext()),
  };
};
