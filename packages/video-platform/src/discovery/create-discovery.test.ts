import { afterEach, describe, expect, it } from '@jest/globals';
import { measurePlatform } from '../metrics.ts';
import { browse, ID, playlist, section, video } from '../test-support/pages.ts';
import { type Scripted, startScriptedPlatform } from '../test-support/scripted-platform.ts';
import { createDiscovery } from './create-discovery.ts';

const PLAYLIST = 'PLabcdefghijklmnopqrstuvwxyz012345';
const unknown = { futureVideoViewModel: {} };
const json = (body: object): Scripted => ({ body: JSON.stringify(body) });

let close: (() => Promise<unknown>) | undefined;
afterEach(() => close?.());

const start = async (...answers: readonly Scripted[]) => {
  const server = await startScriptedPlatform(
    () => answers[Math.min(server.requests.length, answers.length) - 1]!,
  );
  const counted: { endpoint: string; by: number }[] = [];
  const counter = ({ name }: { name: string }) => ({
    inc: (labels: Record<string, string>, by = 1) => {
      if (name === 'tds_unreadable_entries_total') counted.push({ endpoint: labels.endpoint ?? '', by });
    },
  });
  const discovery = createDiscovery({ origin: server.origin, ...measurePlatform({ counter }) });
  close = () => Promise.all([discovery.close(), server.close()]);
  const listPage = (token: string | null) => discovery.listPage(PLAYLIST, token, {});
  return { server, listPage, counted: () => counted.filter(({ by }) => by > 0) };
};

describe('a token', () => {
  const refused: Scripted = { status: 400, body: JSON.stringify({ error: { status: 'INVALID_ARGUMENT' } }) };

  it.each([
    ['without a list', json({ responseContext: {} })],
    ['with a refusal', refused],
  ])('that is answered %s is asked again, and then ends the list, which says so', async (_, answer) => {
    const { server, listPage } = await start(answer);
    expect(await listPage('useless')).toEqual({ items: [], next: null, omitted: 1 });
    expect(server.requests).toHaveLength(2);
  });

  it('that was answered without a list once goes on', async () => {
    const page = json({ onResponseReceivedActions: [{ append: { continuationItems: [video()] } }] });
    const { listPage } = await start(json({}), page);
    expect(await listPage('useful')).toMatchObject({ items: [{ id: ID }], omitted: 0 });
  });

  it('is no excuse for a source: without one the answers are errors', async () => {
    const { listPage } = await start(json({ responseContext: {} }), refused);
    await expect(listPage(null)).rejects.toMatchObject({ code: 'upstream_error', data: { retryable: true } });
    await expect(listPage(null)).rejects.toMatchObject({ code: 'source_not_found' });
  });
});

describe('what cannot be read', () => {
  it.each([
    ['an entry', browse(playlist([video(), unknown])), 1],
    ['a page', browse(section(unknown, unknown)), 1],
    ['nothing', browse(playlist([video()])), 0],
  ])('is counted: %s', async (_, answer, count) => {
    const { listPage, counted } = await start(json(answer));
    await listPage(null).catch(() => undefined);
    expect(counted()).toEqual(count === 0 ? [] : [{ endpoint: 'browse', by: count }]);
  });
});
