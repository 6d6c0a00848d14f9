import {
  accountMatch,
  identity,
  listingContents,
  MAX_LISTED_MONITORS,
  MAX_MATCHES_PER_PAGE,
  MAX_MONITOR_INPUT_LENGTH,
  MAX_MONITOR_VIDEOS_PER_PAGE,
  monitor,
  monitorId,
  monitorMail,
  monitorMatch,
  monitorScheduler,
  monitorVideo,
  transcriptFetcher,
} from '@tds/contracts';
import { z } from 'zod';
import {
  chosenMail,
  growingPageFields,
  languageFields,
  listFormat,
  mailBody,
  mailField,
  monitorWords,
  namedReceivers,
  overrideUrl,
  pageAnswer,
  pageFields,
  tableAnswer,
} from '../common-fields.ts';
import { defineRoutes, field, okBody } from '../define-route.ts';

const oneMonitor = okBody('MonitorResponse', { monitor });
const params = {
  id: { ...field(monitorId, 'invalid_monitor_id', 'The id of the monitor'), as: 'monitorId' },
} as const;
const ofMonitor = { access: 'key-or-session', scope: 'monitors', params } as const;
const createdBody = okBody('MonitorCreated', {
  idempotent: z
    .boolean()
    .describe('true if nothing was created: a repeated Idempotency-Key, or the source already has a monitor'),
  monitor,
});

const ROWS_BY_DEFAULT = 20;

const autoFetch = [
  'invalid_auto_fetch',
  'true: a job fetches the transcripts of new videos, at the usual price',
] as const;
const mails = {
  mail: mailField(
    monitorMail,
    'When you, who make it, are mailed about new videos and matches: at once, once a day, once a week, or never',
  ),
  mail_only_matches: field(
    z.boolean().optional().meta({ default: false }),
    'invalid_mail_only_matches',
    'true: no mails about new videos, only about those in which words were said',
  ),
};
const words = field(
  monitorWords.optional(),
  'invalid_words',
  'Up to 20 queries that are looked for in the transcripts of new videos; only with auto_fetch',
);

const address = z.string().min(1).max(MAX_MONITOR_INPUT_LENGTH).optional();

export const monitorRoutes = defineRoutes('Monitors', {
  createMonitor: {
    method: 'POST',
    path: '/v1/monitors',
    calls: [monitorScheduler.createMonitor],
    access: 'key',
    scope: 'monitors',
    startsWork: true,
    takesIdempotencyKey: 'for a year',
    summary: 'Create a monitor: watch a channel or a playlist for new videos',
    description:
      "Send exactly one of channel and playlist. Videos that are there now are not new. The source is read about every 15 minutes: new videos are sent to the webhook and, with auto_fetch, fetched by a job. A video is new if it was not in the feed at creation; each is reported once, the oldest first, up to 100 in one event, and one that is upcoming, private or for members when it is public (looked at ever more rarely, after eight days about once a day). A playlist is watched whole: its first 15 videos at each look, the others 100 a look on average, so an addition at the end of 500 is reported within 75 minutes. A source that is gone is source_not_found, which is believed for an hour. An account creates 10 monitors a day, 250 if paid (monitor_creation_cap); monitor_limit does not clear by itself. words are looked for in each transcript that such a job delivers, as GET /v1/library/search finds them: a match is listed, sent as monitor.words_found, and mailed as mail says. Automatic jobs have the format both and the monitor's webhook_url and key, whose daily credit cap holds for them.",
    body: {
      channel: field(
        address.meta({ examples: ['@handle'] }),
        'invalid_channel',
        'A UC channel id, a channel URL or a handle',
      ),
      contents: field(
        listingContents.optional(),
        'invalid_contents',
        'For a channel: all, videos, shorts or streams; by default the tab that channel names, as GET /v1/videos lists it, else all',
      ),
      playlist: field(address, 'invalid_playlist', 'A playlist id, or the URL of a public playlist'),
      auto_fetch: field(z.boolean().default(false), ...autoFetch),
      words,
      ...mails,
      ...languageFields,
      webhook_url: overrideUrl('this monitor and its jobs'),
      receivers: namedReceivers('this monitor and its jobs'),
    },
    bodyForms: { ChannelMonitorRequest: ['channel', 'contents'], PlaylistMonitorRequest: ['playlist'] },
    responses: {
      201: { description: 'The new monitor', schema: createdBody },
      200: { description: 'The existing monitor', schema: createdBody },
    },
    errors: ['conflicting_query_modes', 'monitor_source_required'],
  },

  listMonitors: {
    method: 'GET',
    path: '/v1/monitors',
    calls: [monitorScheduler.listMonitors],
    access: 'key-or-session',
    scope: 'monitors',
    summary: 'List the monitors of the account, up to 1,000 per page',
    description:
      'Those that are not cancelled first, then the cancelled ones; each group newest first, then by id. The newest 1,000 cancelled monitors are kept for a year.',
    query: pageFields(MAX_LISTED_MONITORS, MAX_LISTED_MONITORS),
    responses: { 200: pageAnswer('A page of monitors', 'MonitorList', { monitors: z.array(monitor) }) },
  },

  getMonitor: {
    method: 'GET',
    path: '/v1/monitors/{id}',
    calls: [monitorScheduler.getMonitor],
    ...ofMonitor,
    summary: 'Get a monitor: its state, its last check and its number of new videos',
    description:
      'pause_reason key_revoked: its key was revoked at once, or its app disconnected; it goes on when another key resumes it. tier_limit: the tier allows fewer monitors, and the newest pause first; they go on when there is room. webhook_missing: the webhook that it had is gone or disabled. insufficient_credits ends when its job can begin. Other refusals of its job are in last_error and are tried again within the hour.',
    responses: { 200: { description: 'The monitor', schema: oneMonitor } },
  },

  listMonitorVideos: {
    method: 'GET',
    path: '/v1/monitors/{id}/videos',
    calls: [monitorScheduler.listMonitorVideos],
    ...ofMonitor,
    summary: 'List the videos that a monitor found, newest first',
    description: 'Those that were there when it was created are none of them. A cancelled monitor lists none.',
    query: pageFields(MAX_MONITOR_VIDEOS_PER_PAGE, ROWS_BY_DEFAULT),
    responses: { 200: pageAnswer('A page of videos', 'MonitorVideoList', { videos: z.array(monitorVideo) }) },
  },

  listMonitorMatches: {
    method: 'GET',
    path: '/v1/monitors/{id}/matches',
    calls: [transcriptFetcher.listMatches, monitorScheduler.getMonitor],
    access: 'key',
    scope: 'monitors',
    params,
    summary: 'List the new videos in which the words of a monitor were said, newest first',
    description:
      'One for each video and query, with up to five passages. They are kept for 90 days, also those of a cancelled monitor, and go with a deleted job.',
    query: growingPageFields(MAX_MATCHES_PER_PAGE, ROWS_BY_DEFAULT),
    responses: { 200: pageAnswer('A page of matches', 'MonitorMatchList', { matches: z.array(monitorMatch) }) },
  },

  listMatches: {
    method: 'GET',
    path: '/v1/matches',
    calls: [transcriptFetcher.listAccountMatches],
    access: 'key',
    scope: 'monitors',
    summary: 'List the new videos in which words of your monitors were said, newest first',
    description:
      'The matches of all monitors in one list, as GET /v1/monitors/{id}/matches has those of one. In CSV each sentence has its line.',
    query: {
      monitor_id: field(monitorId.optional(), 'invalid_monitor_id', 'Only matches of this monitor'),
      format: listFormat,
      ...growingPageFields(MAX_MATCHES_PER_PAGE, ROWS_BY_DEFAULT),
    },
    responses: {
      200: tableAnswer('A page of matches', 'MatchList', { matches: z.array(accountMatch) }),
    },
  },

  changeMonitor: {
    method: 'PATCH',
    path: '/v1/monitors/{id}',
    calls: [
      monitorScheduler.changeMonitor,
      monitorScheduler.getMonitor,
      identity.createDashboardKey,
      identity.chooseMailOfWork,
    ],
    ...ofMonitor,
    summary: 'Change the words, the mails or auto_fetch of a monitor',
    description:
      'What is not sent stays. words replaces all queries; new ones count for transcripts that are not matched yet. auto_fetch true fetches the videos that are found from then on. A monitor that then fetches, and whose auto_fetch or words changed, is that of the key that changed it, or of the key of the session; its webhook_url stays until the key that gave it ends. mail is of who made the monitor, and only they change it (mail_of_another): PUT /v1/monitors/{id}/mail is for everybody. A key with a daily_credit_cap, or an app, changes only what it has begun: else begun_by_another_key.',
    body: {
      ...{ words, ...mails, auto_fetch: field(z.boolean().optional(), ...autoFetch) },
      receivers: namedReceivers('this monitor and its jobs'),
    },
    responses: { 200: { description: 'The monitor', schema: oneMonitor } },
    errors: ['mail_of_another'],
  },

  getMonitorMail: {
    method: 'GET',
    path: '/v1/monitors/{id}/mail',
    calls: [identity.getMailOfWork, monitorScheduler.getMonitor],
    access: 'session',
    params,
    summary: 'Get when you are mailed about a monitor',
    description: 'By default, as its mail says if you made it, or have the work of who did; else never.',
    responses: { 200: { description: 'Your choice', schema: mailBody } },
  },

  chooseMonitorMail: {
    method: 'PUT',
    path: '/v1/monitors/{id}/mail',
    calls: [identity.chooseMailOfWork, monitorScheduler.getMonitor],
    access: 'session',
    params,
    summary: 'Choose when you are mailed about a monitor',
    description:
      'It holds for the person who is signed in, and for nobody else. event_mails false of PATCH /v1/account/mail ends all such mails.',
    body: { mail: chosenMail(monitorMail) },
    responses: { 200: { description: 'Your choice', schema: mailBody } },
  },

  resumeMonitor: {
    method: 'POST',
    path: '/v1/monitors/{id}/resume',
    calls: [monitorScheduler.resumeMonitor],
    access: 'key',
    scope: 'monitors',
    startsWork: true,
    params,
    summary: 'Resume a monitor whose key was revoked',
    description:
      'It becomes a monitor of the key that resumes it, goes on with what it has found meanwhile, and has no webhook_url any more. Any other monitor is answered unchanged.',
    responses: { 200: { description: 'The monitor', schema: oneMonitor } },
  },

  cancelMonitor: {
    method: 'DELETE',
    path: '/v1/monitors/{id}',
    calls: [monitorScheduler.cancelMonitor],
    ...ofMonitor,
    summary: 'Cancel a monitor',
    description:
      'Jobs that it has begun go on. A monitor that is cancelled already is answered unchanged. A key with a daily_credit_cap, or an app, cancels only what it has begun: else begun_by_another_key.',
    responses: { 200: { description: 'The cancelled monitor', schema: oneMonitor } },
  },
});
