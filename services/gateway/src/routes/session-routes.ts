import {
  identity,
  serviceError,
  type sessionEnd,
  type sessionsEnd,
  type sessionsList,
  uuid,
} from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import { jsonAnswer } from '../http/answer.ts';
import type { Surface } from '../surface.ts';
import type { Input, RouteHandler } from './route-handler.ts';

const OK = 200;

type Asking = Pick<Input<typeof sessionsList>, 'principal' | 'credentialDigest'>;
const askerOf = ({ principal: { accountId }, credentialDigest: sessionDigest }: Asking) => ({
  accountId,
  sessionDigest,
});

/** What cannot be an id answers like an id that nobody has. */
const sessionIdOf = ({ params }: Pick<Input, 'params'>): string => {
  const id = uuid.safeParse(params.sessionId);
  if (!id.success) throw serviceError('session_not_found');
  return id.data;
};

export const listSessionsRoute = (call: Call<Surface>): RouteHandler<typeof sessionsList> => ({
  async handle(input) {
    const { sessions } = await call(identity.listSessions, askerOf(input), input.callContext);
    const rows = sessions.map(({ id, createdAt, seenAt, expiresAt, isCurrent }) => ({
      ...{ id, created_at: createdAt, last_seen_at: seenAt },
      ...{ expires_at: expiresAt, current: isCurrent },
    }));
    return jsonAnswer(OK, { ok: true, sessions: rows });
  },
});

export const endOtherSessionsRoute = (call: Call<Surface>): RouteHandler<typeof sessionsEnd> => ({
  async handle(input) {
    const asked = { ...askerOf(input), sessionId: null, clientAddress: input.clientAddress };
    return jsonAnswer(OK, { ok: true, ...(await call(identity.endSessions, asked, input.callContext)) });
  },
});

export const endSessionRoute = (call: Call<Surface>): RouteHandler<typeof sessionEnd> => ({
  async handle(input) {
    const sessionId = sessionIdOf(input);
    const asked = { ...askerOf(input), sessionId, clientAddress: input.clientAddress };
    return jsonAnswer(OK, { ok: true, ...(await call(identity.endSessions, asked, input.callContext)) });
  },
});
