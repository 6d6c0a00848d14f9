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

/** Rendered cached transcripts by selection: a JSON head and the raw file, see `encodeBody` of the kit. */
export const renderedTranscripts = projection({
  owner: 'transcript-fetcher',
  name: 'rendered',
  keyParts: ['videoId', 'language', 'fallback', 'format'],
  value: deliveredTranscript,
  ttlSeconds: 6 * HOUR,
});
