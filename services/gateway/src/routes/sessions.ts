import { serviceError, uuid } from '@tds/contracts';
import { routes } from '@tds/http-api';
import { callRoute, type Input } from './route-handler.ts';

type SessionOwner = Pick<Input<typeof routes.listSessions>, 'principal' | 'credentialDigest'>;
const askerOf = ({ principal: { accountId }, credentialDigest: sessionDigest }: SessionOwner) => ({
  accountId,
  sessionDigest,
});

/** An invalid id answers like an unknown one. */
const sessionIdOf = ({ params }: Pick<Input, 'params'>): string => {
  const id = uuid.safeParse(params.sessionId);
  if (!id.success) throw serviceError('session_not_found');
  return id.data;
};

export const sessionRoutes = {
  listSessions: callRoute(routes.listSessions, {
    request: askerOf,
  }),

  endOtherSessions: callRoute(routes.endOtherSessions, {
    request: (input) => ({ ...askerOf(input), sessionId: null, clientAddress: input.clientAddress }),
  }),

  endSession: callRoute(routes.endSession, {
    request: (input) => ({
      ...askerOf(input),
      sessionId: sessionIdOf(input),
      clientAddress: input.clientAddress,
    }),
  }),
};
