import { identity, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { slideSession } from '../domain/session-life.ts';
import { toPrincipal } from '../domain/to-principal.ts';
import { findLiveSession, updateSessionLife } from '../store/sessions.ts';

const noKey = { keyId: null, keyVersion: 0, slot: null, dailyCreditCap: null, revokeAt: null } as const;

export const authenticateSession = onCommand(
  identity.authenticateSession,
  async ({ db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>, { sessionDigest }) => {
    const at = now();
    const session = await findLiveSession(db, vault.keyedDigest(sessionDigest), at);
    if (!session) throw serviceError('session_required');
    const life = slideSession(session, at);
    if (life) await updateSessionLife(db, session.id, life);
    return toPrincipal({ ...session, ...noKey });
  },
);
