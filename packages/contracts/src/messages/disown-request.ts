import { z } from 'zod';
import { uuid } from '../ids.ts';
import { command } from './define-messages.ts';
import { transcriptSelection } from './transcript-fetcher.ts';

/**
 * The caller of a `get-transcript` was answered with a 5xx that says nothing of what became of its work. So it must cost
 * nothing: the request is never told a charge, a charge that it was told is given back, and its operation is delivered for
 * nothing, or never opened where it has not been yet. Repeating it changes nothing.
 */
export const disownRequest = command({
  owner: 'transcript-fetcher',
  name: 'disown-request',
  request: transcriptSelection.extend({ accountId: uuid, keyId: uuid, requestId: uuid }),
  reply: z.object({}),
});
