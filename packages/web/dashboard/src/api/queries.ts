import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { Account, Answer, LedgerPage, UsageDays } from '@transcript-delivery/sdk';
import { get, Refusal, send } from './send.ts';
import { withKey } from './with-key.ts';

const RETRIES = 2;
const SECOND_MS = 1_000;
const MAX_WAIT_SECONDS = 10;

export const queryClient = new QueryClient({
  defaultOptions: {
    // Otherwise changes wait in silence while the network is away.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10 * SECOND_MS,
      retry: (count, error) =>
        count < RETRIES &&
        error instanceof Refusal &&
        error.body.retryable &&
        (error.body.retry_after ?? 0) <= MAX_WAIT_SECONDS,
      retryDelay: (count, error) =>
        error instanceof Refusal && error.body.retry_after
          ? error.body.retry_after * SECOND_MS
          : 2 ** count * SECOND_MS,
    },
  },
});

/** Reads a path; its request ends with the part that waits for it, so hanging ones take no connection. */
const read =
  <Body>(path: string) =>
  ({ signal }: { readonly signal: AbortSignal }): Promise<Body> =>
    get<Body>(path, signal);

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: read<Account>('/v1/account'),
});

export const usageQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['usage', from, to],
    queryFn: read<UsageDays>(`/v1/usage?from=${from}&to=${to}`),
  });

export const ledgerQuery = (path: string) =>
  queryOptions({ queryKey: ['ledger', path], queryFn: read<LedgerPage>(path) });

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: read<Answer<'listKeys'>>('/v1/keys'),
});

export const jobsQuery = (filter: string) =>
  queryOptions({
    queryKey: ['jobs', 'list', filter],
    queryFn: read<Answer<'listJobs'>>(`/v1/jobs?${filter}`),
  });

const countJobs = async (status: 'running' | 'paused', signal: AbortSignal): Promise<number> =>
  (await get<Answer<'listJobs'>>(`/v1/jobs?limit=1&status=${status}`, signal)).total;

/** How many jobs run or pause; one query, so that one retry reads both counts. */
export const activeJobsQuery = queryOptions({
  queryKey: ['jobs', 'active'],
  queryFn: async ({ signal }) => (await countJobs('running', signal)) + (await countJobs('paused', signal)),
});

export const jobQuery = (id: string) =>
  queryOptions({ queryKey: ['jobs', id], queryFn: read<Answer<'getJob'>>(`/v1/jobs/${id}`) });

export const rowsQuery = (id: string, filter: string) =>
  queryOptions({
    queryKey: ['jobs', id, 'rows', filter],
    queryFn: read<Answer<'listJobVideos'>>(`/v1/jobs/${id}/videos?${filter}`),
  });

export const monitorsQuery = queryOptions({
  queryKey: ['monitors'],
  queryFn: read<Answer<'listMonitors'>>('/v1/monitors'),
});

export const monitorQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitors', id],
    queryFn: read<Answer<'getMonitor'>>(`/v1/monitors/${id}`),
  });

/** When who is signed in is mailed about a monitor or a job, whose path this is. */
export const ownMailQuery = (path: string) =>
  queryOptions({ queryKey: ['mail', path], queryFn: read<Answer<'getMonitorMail'>>(`${path}/mail`) });

export const monitorVideosQuery = (id: string, offset: number) =>
  queryOptions({
    queryKey: ['monitors', id, 'videos', offset],
    queryFn: read<Answer<'listMonitorVideos'>>(`/v1/monitors/${id}/videos?limit=100&offset=${offset}`),
  });

/** The sentences of matches are for keys. */
export const matchesQuery = (filter: string) =>
  queryOptions({
    queryKey: ['monitors', 'matches', filter],
    queryFn: ({ signal }) =>
      withKey((key) => send<Answer<'listMatches'>>('GET', `/v1/matches?${filter}`, { key, signal })),
  });

export const feedsQuery = queryOptions({
  queryKey: ['feeds'],
  queryFn: read<Answer<'listFeeds'>>('/v1/feeds'),
});

export const linksQuery = queryOptions({
  queryKey: ['links'],
  queryFn: read<Answer<'listLinks'>>('/v1/links'),
});

export const receiversQuery = queryOptions({
  queryKey: ['receivers'],
  queryFn: read<Answer<'listReceivers'>>('/v1/receivers'),
});

export const webhookQuery = queryOptions({
  queryKey: ['webhook'],
  queryFn: read<Answer<'getWebhook'>>('/v1/webhooks'),
});

export const deliveriesQuery = (filter: string) =>
  queryOptions({
    queryKey: ['deliveries', 'list', filter],
    queryFn: read<Answer<'listDeliveries'>>(`/v1/webhooks/deliveries?${filter}`),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', id],
    queryFn: read<Answer<'getDelivery'>>(`/v1/webhooks/deliveries/${id}`),
  });

export const requestsQuery = (filter: string) =>
  queryOptions({
    queryKey: ['requests', 'list', filter],
    queryFn: read<Answer<'listRequests'>>(`/v1/requests?${filter}`),
  });

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', id],
    queryFn: read<Answer<'getRequest'>>(`/v1/requests/${encodeURIComponent(id)}`),
  });

export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: read<Answer<'listPrices'>>('/v1/checkout'),
});

export const purchasesQuery = (offset: number) =>
  queryOptions({
    queryKey: ['purchases', offset],
    queryFn: read<Answer<'listPurchases'>>(`/v1/billing/purchases?unpaid=false&offset=${offset}`),
  });

const CARD_POLL_MS = 5_000;

/** A card arrives a moment after its page. */
export const refillQuery = queryOptions({
  queryKey: ['refill'],
  queryFn: read<Answer<'getRefill'>>('/v1/refill'),
  refetchInterval: ({ state }) => (state.data?.refill.status === 'card_missing' ? CARD_POLL_MS : false),
});

export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: read<Answer<'listConnections'>>('/v1/connections'),
});

/** It is answered once, so it is not read again behind a form. */
export const connectionRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['connections', 'request', id],
    queryFn: read<Answer<'getConnectionRequest'>>(`/v1/connections/requests/${encodeURIComponent(id)}`),
    staleTime: Number.POSITIVE_INFINITY,
  });

export type People = Answer<'listPeople'>;

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: read<People>('/v1/account/people'),
});

export const auditQuery = (offset: number) =>
  queryOptions({
    queryKey: ['audit', offset],
    queryFn: read<Answer<'listAudit'>>(`/v1/account/audit?limit=20&offset=${offset}`),
  });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: read<Answer<'listSessions'>>('/v1/sessions'),
});
