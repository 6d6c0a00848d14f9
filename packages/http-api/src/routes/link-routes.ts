import { LINK_DAYS, languagePreference, MAX_LINK_DAYS, sharedLink, transcriptFetcher } from '@tds/contracts';
import { z } from 'zod';
import { pathId } from '../common-fields.ts';
import { defineRoutes, field, okAnswer, okBody } from '../define-route.ts';
import { videoFields } from './transcript-routes.ts';

const link = sharedLink.extend({ url: z.string().describe('Who has it reads the link') }).meta({ id: 'Link' });
const linkBody = okBody('LinkResponse', { link });
const params = { linkId: pathId('link', 'link_not_found') };
const ofLink = { access: 'key-or-session', scope: 'read', params } as const;
const second = z.number().min(0).optional();

export const linkRoutes = defineRoutes('Library', {
  createLink: {
    method: 'POST',
    path: '/v1/links',
    calls: [transcriptFetcher.createLink],
    access: 'key',
    scope: 'fetch',
    startsWork: true,
    takesIdempotencyKey: 'for as long as the link, and eight days',
    summary: 'Hand on a transcript that you have received, or a quote of it, by a link',
    description:
      'Who has url reads it in a browser, without an account and for nothing: title, channel, language, the text with seconds that lead to the video, and the quote marked, which is all captions between start and end. Behind .md, or with Accept: text/markdown, it is Markdown. The page names the account by its name (PATCH /v1/account), or says nothing of it. It is not indexed, and ends after days, or at once by DELETE /v1/links/{linkId}. It is 404 while the account is frozen, once it is closed, once the key that made it is revoked at once, and once the account has deleted every job by which it received the transcript. An account has 100 live links (link_limit), and makes 50 a UTC day (link_creation_cap). Costs 0 credits.',
    body: {
      ...videoFields,
      language: field(
        languagePreference.optional().meta({ examples: ['en', 'orig'] }),
        'invalid_language',
        'As it was asked for, or a language that was received; without it, what was received last of the video',
      ),
      start: field(second, 'invalid_quote', 'The begin of a quote, in seconds of the video'),
      end: field(second, 'invalid_quote', 'The end of the quote; with start'),
      days: field(
        z.number().int().min(1).max(MAX_LINK_DAYS).default(LINK_DAYS),
        'invalid_link_days',
        'After how many days it ends',
      ),
    },
    responses: { 201: { description: 'The link', schema: linkBody } },
    errors: ['unknown_query_mode', 'conflicting_query_modes', 'single_video_required'],
  },

  listLinks: {
    method: 'GET',
    path: '/v1/links',
    calls: [transcriptFetcher.listLinks],
    access: 'key-or-session',
    scope: 'read',
    summary: 'List the live links of the account, newest first',
    description: 'With the end of each, and how often it was read. Nothing is kept of who read it.',
    responses: { 200: okAnswer('The links', 'LinkList', { links: z.array(link) }) },
  },

  getLink: {
    method: 'GET',
    path: '/v1/links/{linkId}',
    calls: [transcriptFetcher.getLink],
    ...ofLink,
    summary: 'Get a link, also within eight days of its end',
    responses: { 200: { description: 'The link', schema: linkBody } },
  },

  endLink: {
    method: 'DELETE',
    path: '/v1/links/{linkId}',
    calls: [transcriptFetcher.endLink],
    ...ofLink,
    scope: 'fetch',
    summary: 'Take a link back, at once and for ever',
    description:
      'One that is over is answered unchanged. A key with a daily_credit_cap, or an app, takes back only what it has made: else begun_by_another_key.',
    responses: { 200: { description: 'The link, which is over', schema: linkBody } },
  },

  readLink: {
    method: 'GET',
    path: '/links/{linkId}/{secret}',
    calls: [transcriptFetcher.openLink],
    access: 'public',
    // Whatever stands there, people get the same page.
    params: {
      linkId: field(z.string(), 'link_not_found', 'The id of the link'),
      secret: field(z.string(), 'link_not_found', 'The secret of its address'),
    },
    summary: 'Read a link, without a credential',
    description:
      'A page without scripts, at most 600 times a minute and gateway for all readers. With .md behind its address, or with Accept: text/markdown, it is Markdown. A browser gets a page with an error, too. Costs 0 credits.',
    responses: {
      200: {
        description: 'The page',
        files: ['text/html', 'text/markdown'],
        headers: ['Vary', 'X-Robots-Tag'],
      },
      404: { description: 'A page for people', files: ['text/html'], headers: ['Vary', 'X-Robots-Tag'] },
    },
  },
});
