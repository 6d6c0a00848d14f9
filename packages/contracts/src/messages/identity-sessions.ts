import { z } from 'zod';
import { uuid } from '../ids.ts';
import { command } from './define-messages.ts';
import { secretDigest } from './identity.ts';

const owner = 'identity' as const;
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

/** Live sessions, the one that was used last first. */
export const listSessions = command({
  owner,
  name: 'list-sessions',
  request: z.object(asking),
  reply: z.object({ sessions: z.array(session) }),
});

/** Ends one live session, or all but the one that asks. */
export const endSessions = command({
  owner,
  name: 'end-sessions',
  request: z.object({ ...asking, sessionId: uuid.nullable(), clientAddress: z.string() }),
  reply: z.object({ ended: z.number().int() }),
  errors: ['session_required', 'session_not_found'],
});
