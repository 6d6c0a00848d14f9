import { serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { slideSession } from '../domain/session-life.ts';
import { toPrincipal } from '../domain/to-principal.ts';
import { findLiveSession, updateSessionLife } from '../store/sessions.ts';
import type { IdentityHandlers } from '../surface.ts';

const noKey = { keyId: null, keyVersion: 0, limitId: null, dailyCreditCap: null, revokeAt: null } as const;

export const authenticateSession =
  (deps: Deps): IdentityHandlers['commands']['authenticate-session'] =>
  async ({ sessionDigest }) => {
    const now = deps.now();
    const session = await findLiveSession(deps.db, deps.vault.keyedDigest(sessionDigest), now);
    if (!session) throw serviceError('session_required');
    const life = slideSession(session, now);
    if (life) await updateSessionLife(deps.db, session.id, life);
    return toPrincipal({ ...session, ...noKey });
  };
