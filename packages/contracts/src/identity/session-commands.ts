import { z } from 'zod';
import { namedObject } from '../bounded.ts';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { secretDigest } from './principal.ts';

const time = z.iso.datetime();

/** A session without its secret, in the API and on the bus. */
export const session = namedObject('Session', {
  id: uuid,
  created_at: time,
  last_seen_at: time.describe('To the minute'),
  expires_at: time.describe('Unless it is used before'),
  current: z.boolean().describe('Whether it is the session of this request'),
});

/** The requesting session, which must be a live one of the account. */
const asking = { accountId: uuid, sessionDigest: secretDigest };

export const sessionCommands = commands({
  /** Lists live sessions, the last used first. */
  listSessions: {
    request: z.object(asking),
    reply: z.object({ sessions: z.array(session) }),
  },

  /** Ends one live session, or all but the requesting one. */
  endSessions: {
    request: z.object({ ...asking, sessionId: uuid.nullable(), clientAddress: z.string() }),
    reply: z.object({ ended: z.number().int().describe('How many sessions were ended') }),
    errors: ['session_required', 'session_not_found'],
  },
});
