import type { identity, RequestOf } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Deps } from '../../deps.ts';
import type { Db } from '../../store/prisma-client.ts';
import type { Surface } from '../../surface.ts';

/** One transaction and what it needs. */
export type Work = {
  readonly deps: Deps;
  readonly tx: Db;
  readonly send: Sender<Surface>;
  readonly now: Date;
};

export type SignIn = Omit<RequestOf<typeof identity.verifyCode>, 'code' | 'acceptTerms'> & {
  readonly challengeId: string;
  readonly requestId: string;
};
