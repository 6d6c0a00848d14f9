import { z } from 'zod';
import { balance } from '../messages/credits-ledger.ts';
import { principal } from '../messages/identity.ts';
import { deliveredTranscript } from '../messages/transcript-fetcher.ts';
import { projection } from './define-projection.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Who a key stands for, by the SHA-256 of the key. Valid only while `principalsFresh` lives. */
export const principals = projection({
  owner: 'identity',
  name: 'principal',
  keyParts: ['keyDigest'],
  value: principal,
  ttlSeconds: 10 * MINUTE,
});

/**
 * The dead man's switch of `principals`: identity renews it after every sweep of revocations. When it lapses,
 * nobody may trust a projected principal, so no revocation is honoured later than 30 s whatever is down.
 */
export const principalsFresh = projection({
  owner: 'identity',
  name: 'principals-fresh',
  keyParts: [],
  value: z.literal('1'),
  ttlSeconds: 15,
});

/** Balances as the ledger last committed them; a write with an older version is ignored. */
export const balances = projection({
  owner: 'credits-ledger',
  name: 'balance',
  keyParts: ['accountId'],
  value: balance,
  ttlSeconds: HOUR,
});

/** What a selection leads to, small: the file itself lies beside it, once for all selections, or in the object store. */
export const renderedTranscripts = projection({
  owner: 'transcript-fetcher',
  name: 'rendered-selection',
  keyParts: ['videoId', 'language', 'fallback', 'format'],
  value: deliveredTranscript,
  ttlSeconds: HOUR,
});

/** Rendered files by their content: however many selections lead to one, it is kept once. */
export const renderedFiles = projection({
  owner: 'transcript-fetcher',
  name: 'rendered-file',
  keyParts: ['sha256'],
  value: z.instanceof(Uint8Array),
  ttlSeconds: 6 * HOUR,
});

/** A larger file (bytes) is read from the object store. */
export const LARGEST_PROJECTED_FILE = 1_024 * 1_024;
