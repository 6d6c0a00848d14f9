import { boundedAgent, type Headers, receive } from '@tds/bounded-http';
import {
  APP_DOCUMENT_WAIT_MS,
  MAX_APP_DOCUMENT_BYTES,
  type ReplyOf,
  type webhookDispatcher,
} from '@tds/contracts';
import type { DestinationGuard } from './destination-guard.ts';

type Document = ReplyOf<typeof webhookDispatcher.readAppDocument>['document'];

const MAX_HEADERS_BYTES = 16 * 1_024;
const MAX_SHOWN_HEADER_LENGTH = 256;

const cacheControlOf = ({ 'cache-control': value }: Headers): string | null =>
  typeof value === 'string' && value.length <= MAX_SHOWN_HEADER_LENGTH ? value : null;

/** Reads small documents of apps by the rules for receivers of webhooks. No connection outlives its request. */
export const createDocumentReader = (guard: DestinationGuard) => {
  const agent = boundedAgent(MAX_HEADERS_BYTES + MAX_APP_DOCUMENT_BYTES, {
    connect: { lookup: guard.lookup, timeout: APP_DOCUMENT_WAIT_MS },
    maxHeaderSize: MAX_HEADERS_BYTES,
    pipelining: 0,
  });
  return {
    /** Never throws: a document that cannot be read is null. */
    async read(text: string): Promise<Document> {
      try {
        const { origin, pathname, search } = guard.read(text);
        const path = pathname + search;
        const request = { origin, path, method: 'GET', headers: { accept: 'application/json' } } as const;
        const { status, headers, body } = await receive(agent, request, {
          signal: AbortSignal.timeout(APP_DOCUMENT_WAIT_MS),
          capBytes: MAX_APP_DOCUMENT_BYTES,
          meter: { bytes: 0, status: null },
        });
        return { status, body: body.toString('utf8'), cacheControl: cacheControlOf(headers) };
      } catch {
        // The fault of an app's server is of no use to the caller, who may be that app.
        return null;
      }
    },
    close: () => agent.close(),
  };
};
export type DocumentReader = ReturnType<typeof createDocumentReader>;
