import type { Route } from './define-route.ts';
import { accountBody, accountClose, accountRead } from './routes/account-routes.ts';
import { authCode, authLogout, authVerify } from './routes/auth-routes.ts';
import { keyBody, keyCreate, keyRevoke, keyRotate, keysList, keyUpdate } from './routes/key-routes.ts';
import { sessionEnd, sessionsEnd, sessionsList } from './routes/session-routes.ts';
import { pendingBody, transcript, transcriptBody, video } from './routes/transcript-routes.ts';
import { usageLedgerBody, usageRead, usageRollupsBody } from './routes/usage-routes.ts';

export {
  accountBody,
  accountClose,
  accountRead,
  authCode,
  authLogout,
  authVerify,
  keyBody,
  keyCreate,
  keyRevoke,
  keyRotate,
  keysList,
  keyUpdate,
  pendingBody,
  sessionEnd,
  sessionsEnd,
  sessionsList,
  transcript,
  transcriptBody,
  usageLedgerBody,
  usageRead,
  usageRollupsBody,
  video,
};

/** The same table with every row's own type, so that the compiler can demand one handler per row. */
export const routeTable = [
  authCode,
  authVerify,
  authLogout,
  sessionsList,
  sessionsEnd,
  sessionEnd,
  keysList,
  keyCreate,
  keyUpdate,
  keyRevoke,
  keyRotate,
  accountRead,
  accountClose,
  usageRead,
  transcript,
  video,
] as const;

/** The public HTTP surface: validation, 405, OPTIONS, OpenAPI and the tests are derived from this table. */
export const routes: readonly Route[] = routeTable;

/** The methods that a path supports, for 405 and OPTIONS. */
export const methodsByPath = (table: readonly Route[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(Object.groupBy(table, ({ path }) => path)).map(([path, rows]) => [
      path,
      allowed(rows ?? []),
    ]),
  );

const allowed = (rows: readonly Route[]): readonly string[] => {
  const methods = rows.map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
};
