import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { transcriptSelection } from './delivered-transcript.ts';

export const disownCommands = commands({
  /**
   * The caller of a `getTranscript` was answered with a 5xx that says nothing of what became of its work. So it must cost
   * nothing: the request is never told a charge, a charge that it was told is given back, and its operation is delivered for
   * nothing, or never opened if it has not been yet. Repeating it changes nothing.
   */
  disownRequest: {
    request: transcriptSelection.extend({ accountId: uuid, keyId: uuid, requestId: uuid }),
    reply: z.object({}),
  },
});
