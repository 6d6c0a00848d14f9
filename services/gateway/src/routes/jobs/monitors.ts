import { identity, type Monitor, monitorScheduler, personOf, search, transcriptFetcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { chooseContents } from '../../domain/channel-tab.ts';
import { asCompressible } from '../../wire/index.ts';
import {
  callRoute,
  createAnswers,
  type Input,
  listPage,
  onRoute,
  type RouteDeps,
  workKeyOf,
} from '../serve/index.ts';

const createdAnswers = createAnswers(routes.createMonitor, 201);
const existingAnswers = createAnswers(routes.createMonitor, 200);

/** The one source in the body. */
const readSource = ({ channel, playlist, contents }: Input<typeof routes.createMonitor>['body']) => {
  if (channel !== undefined && playlist !== undefined)
    throw serviceError('conflicting_query_modes', { message: 'Send channel or playlist, not both.' });
  if (channel !== undefined) return { channel, contents: chooseContents(channel, contents) };
  if (contents !== undefined)
    throw serviceError('conflicting_query_modes', { message: 'contents goes with channel only.' });
  if (playlist !== undefined) return { playlist };
  throw serviceError('monitor_source_required');
};

/** Creates a monitor of the account, under the key. */
const createMonitor = onRoute(routes.createMonitor, async ({ call }, input) => {
  const { principal, body, idempotencyKey, callContext } = input;
  const { auto_fetch: autoFetch, words = [], mail = 'none', language, fallback } = body;
  const { webhook_url: webhookUrl = null, mail_only_matches: mailOnlyMatches = false, receivers } = body;
  const { accountId, tier, keyId } = principal;
  const source = readSource(body);
  const settings = {
    source,
    autoFetch,
    words,
    mail,
    mailOnlyMatches,
    language,
    fallback,
    webhookUrl,
    receivers,
  };
  const request = { accountId, tier, keyId, personId: personOf(principal), idempotencyKey, ...settings };
  const { monitor, isIdempotent } = await call(monitorScheduler.createMonitor, request, callContext);
  return isIdempotent
    ? existingAnswers.json({ idempotent: true, monitor })
    : createdAnswers.json({ idempotent: false, monitor });
});

type MailInput = Pick<Input<typeof routes.getMonitorMail>, 'principal' | 'params' | 'callContext'>;
type CallDeps = Pick<RouteDeps, 'call'>;

const readMonitor = async ({ principal: { accountId }, params, callContext }: MailInput, { call }: CallDeps) =>
  (await call(monitorScheduler.getMonitor, { accountId, ...params }, callContext)).monitor;

/** Whose mails a monitor has by default, and which. */
const mailOf = ({ id, person_id, mail }: Monitor) => ({
  ...{ workId: id, madeBy: person_id ?? null, default: mail ?? 'none' },
});

/** Throws `mail_of_another` if the mail of a monitor is not the asking person's to change. */
const requireOwnMail = async (input: Input<typeof routes.changeMonitor>, deps: CallDeps) => {
  const { body, principal } = input;
  const monitor = await readMonitor(input, deps);
  const isOwn = (monitor.person_id ?? principal.accountId) === personOf(principal);
  if (!isOwn && body.mail !== monitor.mail) throw serviceError('mail_of_another');
  return isOwn;
};

/** Who made a monitor and changes its mail has that from then on, whatever they chose before. */
const changeMonitor = onRoute(routes.changeMonitor, async (deps, input) => {
  const { principal, params, body, callContext } = input;
  const { accountId } = principal;
  const { words, auto_fetch: autoFetch, mail, mail_only_matches: mailOnlyMatches, receivers } = body;
  const isOwnMail = mail !== undefined && (await requireOwnMail(input, deps));
  const work = words === undefined && autoFetch === undefined ? {} : { keyId: await workKeyOf(deps, input) };
  const changes = { words, autoFetch, mail, mailOnlyMatches, receivers };
  const asked = { accountId, keyId: principal.keyId, ...params, ...changes, ...work };
  const { monitor } = await deps.call(monitorScheduler.changeMonitor, asked, callContext);
  if (isOwnMail) {
    const choice = { accountId, personId: personOf(principal), ...mailOf(monitor), mail: null };
    await deps.call(identity.chooseMailOfWork, choice, callContext);
  }
  return createAnswers(routes.changeMonitor).json({ monitor });
});

const getMonitorMail = callRoute(routes.getMonitorMail, {
  request: async (input, deps) => mailOf(await readMonitor(input, deps)),
});
const chooseMonitorMail = callRoute(routes.chooseMonitorMail, {
  request: async (input, deps) => mailOf(await readMonitor(input, deps)),
});

/** Combines several replies: one holds some hundred monitors. */
const listMonitors = onRoute(routes.listMonitors, async ({ call }, input) => {
  const { principal, query, callContext } = input;
  const { limit, offset } = query;
  const monitors: Monitor[] = [];
  let total = 0;
  do {
    const count = monitors.length;
    const request = { accountId: principal.accountId, limit: limit - count, offset: offset + count };
    const page = await call(monitorScheduler.listMonitors, request, callContext);
    monitors.push(...page.monitors);
    total = page.total;
    if (page.monitors.length === 0) break;
  } while (monitors.length < limit && offset + monitors.length < total);
  const page = listPage(routes.listMonitors, query, { count: monitors.length, total });
  return asCompressible(createAnswers(routes.listMonitors).json({ monitors, ...page }));
});

const listMonitorMatches = callRoute(routes.listMonitorMatches, {
  request: async ({ principal: { accountId }, params, callContext }, { call }) => {
    await call(monitorScheduler.getMonitor, { accountId, ...params }, callContext);
    return {};
  },
});

const nothingToTry = (channelId = 'a channel') =>
  `Nothing was received yet. POST /v1/jobs with input ${channelId} and newest 10 fetches ten transcripts for at most 10 credits; then try again.`;

/** Words are tried on a channel, on a monitor, or on the whole library. */
const tryWords = onRoute(routes.tryWords, async ({ call }, { principal, body, callContext }) => {
  const { accountId } = principal;
  const { words, channel, monitor_id: monitorId = null } = body;
  if (channel !== undefined && monitorId !== null)
    throw serviceError('conflicting_query_modes', { message: 'Send channel or monitor_id, not both.' });
  const source =
    channel === undefined ? null : await call(search.resolveChannel, { accountId, channel }, callContext);
  const request = { accountId, words, channelId: source?.channelId ?? null, monitorId };
  const tried = await call(transcriptFetcher.tryWords, request, callContext);
  const hint = tried.transcripts === 0 ? nothingToTry(source?.channelId) : null;
  return createAnswers(routes.tryWords).json({ ...tried, hint });
});

export const monitorRoutes = {
  ...{
    createMonitor,
    changeMonitor,
    getMonitorMail,
    chooseMonitorMail,
    listMonitors,
    listMonitorMatches,
    tryWords,
  },
};
