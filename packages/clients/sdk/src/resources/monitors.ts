import type { Answer, Body, Match, Monitor, MonitorMatch, MonitorVideo, Query } from '../api.ts';
import type { Connection, CreateOptions, RequestOptions } from '../connection.ts';
import { createList, type Pages, readCsv } from '../pages.ts';

/** The most of a page. */
const MATCHES_A_PAGE = 100;

const at = (id: string) => `/v1/monitors/${encodeURIComponent(id)}`;

export const monitors = (connection: Connection) => ({
  /** Watches a channel or a playlist. A source that is watched already answers its monitor. */
  create: async (body: Body<'createMonitor'>, options: CreateOptions = {}): Promise<Monitor> =>
    (await connection.create<Answer<'createMonitor'>>({ ...options, path: '/v1/monitors', body })).monitor,

  get: async (id: string, options: RequestOptions = {}): Promise<Monitor> =>
    (await connection.json<Answer<'getMonitor'>>({ ...options, path: at(id) })).monitor,

  /** Changes its `words`, its `mail` or `auto_fetch`. */
  update: async (id: string, body: Body<'changeMonitor'>, options: RequestOptions = {}): Promise<Monitor> =>
    (await connection.json<Answer<'changeMonitor'>>({ ...options, method: 'PATCH', path: at(id), body }))
      .monitor,

  list: (options: RequestOptions = {}): Pages<Monitor, Answer<'listMonitors'>> =>
    createList(connection, '/v1/monitors', 'monitors', options),

  /** The new videos that it has found, newest first. */
  videos: (
    id: string,
    options: Query<'listMonitorVideos'> & RequestOptions = {},
  ): Pages<MonitorVideo, Answer<'listMonitorVideos'>> =>
    createList(connection, `${at(id)}/videos`, 'videos', options),

  /** Where its words were said in new transcripts, newest first. */
  matches: (
    id: string,
    options: Query<'listMonitorMatches'> & RequestOptions = {},
  ): Pages<MonitorMatch, Answer<'listMonitorMatches'>> =>
    createList(connection, `${at(id)}/matches`, 'matches', options),

  /** The matches of all monitors, newest first; or of one, by `monitor_id`. */
  allMatches: (
    options: Omit<Query<'listMatches'>, 'format'> & RequestOptions = {},
  ): Pages<Match, Answer<'listMatches'>> => createList(connection, '/v1/matches', 'matches', options),

  /** Those of at most 90 days as one CSV for a spreadsheet. */
  matchesCsv: (options: Pick<Query<'listMatches'>, 'monitor_id'> & RequestOptions = {}): Promise<string> =>
    readCsv(connection, '/v1/matches', MATCHES_A_PAGE, options),

  /** A monitor whose key was revoked goes on under this one. */
  resume: async (id: string, options: RequestOptions = {}): Promise<Monitor> =>
    (await connection.json<Answer<'resumeMonitor'>>({ ...options, method: 'POST', path: `${at(id)}/resume` }))
      .monitor,

  cancel: async (id: string, options: RequestOptions = {}): Promise<Monitor> =>
    (await connection.json<Answer<'cancelMonitor'>>({ ...options, method: 'DELETE', path: at(id) })).monitor,
});
