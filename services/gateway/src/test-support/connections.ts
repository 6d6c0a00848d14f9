import { randomUUID } from 'node:crypto';
import type { Connection, identity, ReplyOf, RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';

type StoredRecord = { readonly payload: string; readonly grantId: string | null; consumedAt: string | null };
type RecordName = RequestOf<typeof identity.findGrantRecord>;

export const newConnection = (overrides: Partial<Connection> = {}): Connection => ({
  id: randomUUID(),
  app: { name: 'An app', host: 'app.example' },
  scopes: ['read'],
  daily_credit_cap: null,
  created_at: '2026-01-15T12:00:00.000Z',
  last_used_at: null,
  person_id: null,
  ...overrides,
});

/** The records of the authorization server in memory. */
export const fakeConnections = () => {
  const records = new Map<string, StoredRecord>();
  const nameOf = ({ kind, digest }: RecordName): string => `${kind} ${digest}`;
  return {
    saveGrantRecord: async (request: RequestOf<typeof identity.saveGrantRecord>) => {
      const { payload, grantId } = request;
      records.set(nameOf(request), { payload, grantId, consumedAt: null });
      return {};
    },
    findGrantRecord: async (request: RecordName): Promise<ReplyOf<typeof identity.findGrantRecord>> => {
      return { found: records.get(nameOf(request)) ?? null };
    },
    /** As identity decides, within a minute of the first use. */
    issueTokens: async ({ used, made }: RequestOf<typeof identity.issueTokens>) => {
      const record = records.get(nameOf(used));
      const next = made.find(({ kind }) => kind === 'RefreshToken');
      const isRepeat = used.kind === 'RefreshToken' && next !== undefined && records.has(nameOf(next));
      if (record && (record.consumedAt === null || isRepeat)) {
        for (const { payload, grantId, ...name } of made)
          if (!records.has(nameOf(name))) records.set(nameOf(name), { payload, grantId, consumedAt: null });
        record.consumedAt ??= new Date().toISOString();
        return { isIssued: true };
      }
      for (const [name, { grantId }] of records) if (grantId === record?.grantId) records.delete(name);
      return { isIssued: false };
    },
    deleteGrantRecord: async (request: RecordName) => {
      records.delete(nameOf(request));
      return {};
    },
    endGrant: async ({ grantId }: RequestOf<typeof identity.endGrant>) => {
      for (const [name, record] of records) if (record.grantId === grantId) records.delete(name);
      return {};
    },
    listConnections: async () => ({ connections: [newConnection()] }),
    createConnection: async ({ app, scopes, dailyCreditCap }: RequestOf<typeof identity.createConnection>) => ({
      connection: newConnection({ app, scopes, daily_credit_cap: dailyCreditCap }),
    }),
    endConnection: async (): Promise<never> => {
      throw serviceError('connection_not_found');
    },
  };
};
