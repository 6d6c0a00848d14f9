import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/servers';
import { channelAt } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import {
  bearer,
  type Customer,
  call,
  dashboard,
  fifteenMinutesPass,
  postJson,
  putJson,
  shareTestSystem,
  signUp,
  type TestSystem,
  waitingRows,
} from '#support/testing';
import { killProcesses, type OwnProcess, startProcess } from './service-process.ts';

/** Those that are killed; the others live in this process. */
const KILLED = ['transcript-fetcher', 'monitor-scheduler', 'webhook-dispatcher'];
const within = { everyMs: 250 };
const SEED = 1;

let system: TestSystem;
const running = new Map<string, OwnProcess>();
beforeAll(async () => {
  system = await shareTestSystem();
  await system.replaceServices(KILLED);
  for (const service of KILLED) running.set(service, await startProcess(system, service));
});
afterAll(async () => {
  killProcesses();
  await system?.stop();
});

type Body = {
  id: string;
  type: string;
  data: { monitor_id: string; query: string; match_id: string; passages: { url: string }[] };
};
type Matches = { total: number; matches: { id: string; query: string }[] };

const query = <Row>(service: string, text: string): Promise<Row[]> =>
  withClient(
    String(system.databases[service]?.adminUrl),
    async (admin) => (await admin.query(text)).rows as Row[],
  );
const wordsEvents = (monitorId: string): Body[] =>
  system.receiver
    .received()
    .filter(({ isVerified }) => isVerified)
    .map(({ body }) => JSON.parse(body) as Body)
    .filter(({ type, data }) => type === 'monitor.words_found' && data.monitor_id === monitorId);

/** A customer with a webhook, whose monitor looks for words in a channel of its own. */
const watch = async (customer: Customer, channelIndex: number, words: readonly string[]) => {
  const channel = channelAt(channelIndex, SEED)!;
  const configured = await putJson(
    `${system.gateway}/v1/webhooks`,
    { url: system.receiver.hookUrl },
    bearer(customer.key),
  );
  system.receiver.addSecret(configured.json<{ webhook_secret: string }>().webhook_secret);
  const body = { channel: channel.id, auto_fetch: true, words };
  const made = await postJson(`${system.gateway}/v1/monitors`, body, bearer(customer.key));
  expect(made.status).toBe(201);
  const { id } = made.json<{ monitor: { id: string } }>().monitor;
  return {
    id,
    channel,
    matches: async () => (await customer.get(`/v1/monitors/${id}/matches`)).json<Matches>(),
  };
};
const upload = async (channelId: string) => {
  const [videoId] = system.simulator.upload({ to: channelId });
  await fifteenMinutesPass(system);
  return videoId;
};
/** What the simulator says in every video. */
const SAID = 'the';

describe('a developer whose monitor has words', () => {
  it('gets one signed event for each query and video, soon after its delivery, and reads and changes them', async () => {
    const customer = await signUp(system);
    const { id, channel, matches } = await watch(customer, 11, [SAID, 'zyzzyva']);
    await upload(channel.id);
    const [event] = await eventually(() => {
      const found = wordsEvents(id);
      expect(found).toHaveLength(1);
      return found;
    }, within);
    expect(event?.data).toMatchObject({ query: SAID });
    expect(event?.data.passages[0]?.url).toMatch(/^https:.*&t=\d+s$/);
    const [times] = await query<{ seconds: number }>(
      'transcript-fetcher',
      `SELECT extract(epoch FROM m.found_at - e.received_at)::float8 AS seconds FROM word_matches AS m
       JOIN library_entries AS e USING (account_id, transcript_id) WHERE m.monitor_id = '${id}'`,
    );
    // About a second on a machine that has time.
    expect(times?.seconds).toBeLessThan(60);
    expect(await matches()).toMatchObject({ total: 1, matches: [{ id: event?.data.match_id, query: SAID }] });
    const body = JSON.stringify({ words: ['zyzzyva'] });
    const headers = { ...bearer(customer.key), 'content-type': 'application/json' };
    const changed = await call(`${system.gateway}/v1/monitors/${id}`, { method: 'PATCH', headers, body });
    expect(changed.json()).toMatchObject({ monitor: { words: ['zyzzyva'], auto_fetch: true } });
    const tried = await postJson(
      `${system.gateway}/v1/library/words`,
      { words: [SAID], monitor_id: id },
      headers,
    );
    expect(tried.json()).toMatchObject({ transcripts: 1, matches: [{ query: SAID }] });
  });

  it.each([
    ['transcript-fetcher', 'transcript-indexed', 12],
    ['transcript-fetcher', 'words-found', 13],
    ['transcript-fetcher', 'matches-saved', 14],
    ['monitor-scheduler', 'words-matched', 15],
    ['webhook-dispatcher', 'attempts-counted', 16],
  ])('gets it once also if %s is killed at %s', async (service, crashAt, channelIndex) => {
    const customer = await signUp(system);
    const { id, channel, matches } = await watch(customer, channelIndex, [SAID]);
    await running.get(service)?.kill();
    const dying = await startProcess(system, service, crashAt);
    await upload(channel.id);
    await dying.dead;
    if (service === 'transcript-fetcher') await waitingRows(system, service).endLeases('unindexed_transcripts');
    running.set(service, await startProcess(system, service));
    await eventually(() => expect(wordsEvents(id).length).toBeGreaterThan(0), within);
    await eventually(
      async () => expect(await query('transcript-fetcher', 'SELECT FROM unmatched_deliveries')).toEqual([]),
      within,
    );
    expect((await matches()).total).toBe(1);
    const made = await postJson(`${system.gateway}/v1/feeds`, { monitor_id: id }, dashboard(customer));
    const { pathname } = new URL(made.json<{ feed: { url: string } }>().feed.url);
    const feed = await call(system.gateway + pathname);
    expect(feed.text.match(/<entry>/g)).toHaveLength(1);
    expect(new Set(wordsEvents(id).map((event) => event.id)).size).toBe(1);
  });
});
