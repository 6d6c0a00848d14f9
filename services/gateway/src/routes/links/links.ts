import { createKeyRing } from '@tds/base';
import { personOf, type SharedLink, transcriptFetcher } from '@tds/contracts';
import { hasCode, serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { videoUrl } from '@tds/platform-addresses';
import { linkPageHtml, missingLinkHtml } from '@tds/site';
import Negotiator from 'negotiator';
import type { GatewayConfig } from '../../config.ts';
import { memoize } from '../../domain/memoize.ts';
import { readVideo } from '../../domain/read-video.ts';
import { scriptlessHeaders } from '../../pages/index.ts';
import { asCompressible } from '../../wire/index.ts';
import {
  callRoute,
  createAnswers,
  type Input,
  onRoute,
  type RouteDeps,
  replayHeaders,
} from '../serve/index.ts';

type Config = Pick<GatewayConfig, 'replaySecret' | 'publicUrl'>;

const macsOf = memoize(({ replaySecret }: Config) =>
  createKeyRing([{ id: 'l', secret: replaySecret.reveal() }]).forUse('links'),
);

/** No database has the address. A browser shows the quote at once. */
const withUrl = (config: Config, link: SharedLink) => ({
  ...link,
  url: `${config.publicUrl}/links/${link.id}/${macsOf(config).sign(link.id)}${link.start === null ? '' : '#quote'}`,
});

const createdAnswers = createAnswers(routes.createLink);

const createLink = onRoute(routes.createLink, async ({ call, config }, input) => {
  const { principal, body, idempotencyKey, callContext } = input;
  const { accountId, keyId } = principal;
  const { language, start, end, days } = body;
  const wish = { videoId: readVideo(body), language, start, end, days, idempotencyKey };
  const request = { accountId, keyId: keyId as string, personId: personOf(principal), ...wish };
  const { link, isReplayed } = await call(transcriptFetcher.createLink, request, callContext);
  return createdAnswers.json({ link: withUrl(config, link) }, { headers: replayHeaders(isReplayed) });
});

const listLinks = callRoute(routes.listLinks, {
  body: ({ links }, _input, { config }) => ({ links: links.map((link) => withUrl(config, link)) }),
});

const getLink = callRoute(routes.getLink, {
  body: ({ link }, _input, { config }) => ({ link: withUrl(config, link) }),
});

const endLink = callRoute(routes.endLink, {
  body: ({ link }, _input, { config }) => ({ link: withUrl(config, link) }),
});

type ReadInput = Input<typeof routes.readLink>;
type ReadDeps = Pick<RouteDeps, 'call' | 'config' | 'links' | 'publicCallers'>;

const MARKDOWN = '.md';
const formOf = ({ params: { secret }, headers: { accept = '*/*' } }: ReadInput): 'html' | 'markdown' => {
  const accepted = new Negotiator({ headers: { accept } }).mediaType(['text/html', 'text/markdown']);
  return secret.endsWith(MARKDOWN) || accepted === 'text/markdown' ? 'markdown' : 'html';
};

/** An address that is none of ours costs no request of a service. */
const open = ({ call, config, publicCallers }: ReadDeps, { params, isHead, callContext }: ReadInput) => {
  const { linkId } = params;
  const secret = params.secret.endsWith(MARKDOWN) ? params.secret.slice(0, -MARKDOWN.length) : params.secret;
  if (macsOf(config).check(linkId, secret) !== 'right') throw serviceError('link_not_found');
  publicCallers.countLink(linkId);
  return call(transcriptFetcher.openLink, { linkId, isCounted: !isHead }, callContext);
};

const NOINDEX = { headers: { 'X-Robots-Tag': 'noindex', Vary: 'Accept' } } as const;
const HTML_TYPE = 'text/html; charset=utf-8';
const [answers, refusals] = [createAnswers(routes.readLink, 200), createAnswers(routes.readLink, 404)];

/** No page has its own address in it, so all of them may be compressed. */
const asPage = <Answer extends ReturnType<typeof answers.composed>>(answer: Answer): Answer =>
  asCompressible({ ...answer, headers: [...(answer.headers ?? []), ...scriptlessHeaders] });

const show = async (deps: ReadDeps, input: ReadInput) => {
  const { link, accountName, transcript } = await open(deps, input);
  const { start, end, ends_at: endsAt } = link;
  const quote = start === null || end === null ? null : { start, end };
  const form = formOf(input);
  const text = await deps.links.read({ transcript, quote, form, accountName });
  if (form === 'markdown')
    return asCompressible(answers.composed('text/markdown; charset=utf-8', text.text, NOINDEX));
  const { video, language } = transcript;
  const { supportEmail } = deps.config;
  const facts = { video, language, source: videoUrl(video.id), accountName, endsAt, supportEmail };
  return asPage(answers.composed(HTML_TYPE, linkPageHtml({ ...text, ...facts }), NOINDEX));
};

/** The same answer to people, whatever the reason; programs get the envelope. */
const readLink = onRoute(routes.readLink, async (deps, input) => {
  const isForPeople = input.headers.accept?.includes('text/html');
  return show(deps, input).catch((failure) => {
    if (!hasCode(failure, 'link_not_found') || !isForPeople) throw failure;
    return { ...asPage(refusals.composed(HTML_TYPE, missingLinkHtml(), NOINDEX)), failure };
  });
});

export const linkRoutes = { createLink, listLinks, getLink, endLink, readLink };
