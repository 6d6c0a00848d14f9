import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { secretDigest } from './principal.ts';

const time = z.iso.datetime();

/** A session as its account sees it: everything but the secret. */
export const session = z.object({
  id: uuid,
  createdAt: time,
  /** To the minute. */
  seenAt: time,
  /** Unless it is used before. */
  expiresAt: time,
  isCurrent: z.boolean(),
});

/** The session that asks has to be a live one of the account. */
const asking = { accountId: uuid, sessionDigest: secretDigest };

export const sessionCommands = commands({
  /** Live sessions, the one that was used last first. */
  listSessions: {
    request: z.object(asking),
    reply: z.object({ sessions: z.array(session) }),
  },

  /** Ends one live session, or all but the one that asks. */
  endSessions: {
    request: z.object({ ...asking, sessionId: uuid.nullable(), clientAddress: z.string() }),
    reply: z.object({ ended: z.number().int() }),
    errors: ['session_required', 'session_not_found'],
  },
});
