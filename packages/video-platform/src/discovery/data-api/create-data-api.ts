import { defaultLimits, type Limits } from '../../config/limits.ts';
import { platformError } from '../../errors/platform-error.ts';
import { callSignal, cancelled } from '../../serving/call-bounds.ts';
import { guarded } from '../../serving/guarded.ts';
import { openEgress } from '../../transport/egresses.ts';
import { exchange } from '../../transport/exchange.ts';
import type { Call } from '../../types.ts';
import type { DataApi } from '../types.ts';
import { dataApiError } from './errors.ts';
import { readListItems, readVideos } from './read-items.ts';

export type DataApiOptions = {
  /** Scheme and host, such as `https://www.googleapis.com`. */
  readonly origin: string;
  readonly key: string;
  readonly limits?: Partial<Limits>;
  readonly clock?: () => Date;
};

/** What one page of a listing, or one look-up, may hold. */
export const DATA_API_PAGE = 50;
const OK = 200;

/** The platform's official interface. It never spends: its caller counts a unit before each call. */
export const createDataApi = (options: DataApiOptions): DataApi => {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const { clock = () => new Date(), key } = options;
  const { origin } = new URL(options.origin);
  const egress = openEgress({ name: 'data_api' }, limits);

  const get = async <Value>(
    resource: string,
    parameters: Readonly<Record<string, string>>,
    call: Call,
    read: (body: string) => Value,
  ): Promise<Value> => {
    const signal = callSignal(call, limits.attemptMs);
    const path = `/youtube/v3/${resource}?${new URLSearchParams({ ...parameters, key })}`;
    const request = {
      method: 'GET',
      path,
      headers: { accept: 'application/json' },
      capBytes: limits.pageBytes,
    } as const;
    try {
      const answer = await exchange(egress, { origin, limits, signal }, request, { bytes: 0, status: null });
      if (answer.status !== OK) throw dataApiError(answer, clock());
      return read(answer.body);
    } catch (thrown) {
      throw cancelled(call) ?? thrown;
    }
  };

  return {
    listPage: (playlistId, token, call) =>
      guarded(() =>
        get(
          'playlistItems',
          {
            ...{ part: 'snippet,contentDetails', playlistId, maxResults: String(DATA_API_PAGE) },
            ...(token === null ? {} : { pageToken: token }),
          },
          call,
          readListItems,
        ),
      ),
    lookUpVideos: (ids, call) =>
      guarded(async () => {
        if (ids.length === 0 || ids.length > DATA_API_PAGE) {
          throw platformError('upstream_error', {
            message: `Ask for 1 to ${DATA_API_PAGE} videos at a time.`,
          });
        }
        const parameters = {
          part: 'snippet,contentDetails',
          id: ids.join(','),
          maxResults: String(DATA_API_PAGE),
        };
        return get('videos', parameters, call, readVideos);
      }),
    close: () => egress.dispatcher.destroy(),
  };
};
