import { EmbedBuilder } from '@discordjs/builders';
import { describe, expect, it } from '@jest/globals';
import type { WebhookData, WebhookKind } from '@tds/contracts';
import { cardFaults } from '../test-support/chat-services.ts';
import { bodyFor } from './chat-message.ts';
import type { WebhookEvent } from './webhook-message.ts';

const ID = '0199c3a0-0000-7000-8000-000000000001';
const forms = ['slack', 'discord', 'teams'] as const;
const PUBLIC_URL = 'https://api.example';

const event = <Kind extends WebhookKind>(kind: Kind, data: WebhookData<Kind>): WebhookEvent =>
  ({ id: ID, accountId: ID, kind, data }) as unknown as WebhookEvent;

type Words = WebhookData<'monitor.words_found'>;
const found = (
  video: Partial<Words['video']> = {},
  passage: Partial<Words['passages'][number]> = {},
  more: Partial<Words> = {},
) =>
  event('monitor.words_found', {
    ...{ monitor_id: 'm', channel: null, playlist: 'PL1', title: 'Harbours', match_id: ID },
    ...{ query: 'harbour', language: 'en', translated: false },
    video: {
      ...{ video_id: 'dQw4w9WgXcQ', title: 'A talk', published_at: '2026-01-15', channel_title: 'Ships' },
      ...video,
    },
    passages: [
      {
        ...{ start: 61.5, text: 'Here is the harbour of old.', words: 'harbour' },
        ...{ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=61s', ...passage },
      },
    ],
    ...more,
  } as Words);

const job = (kind: 'job.completed' | 'job.failed' | 'job.paused' | 'job.resumed', more: object = {}) =>
  event(kind, {
    ...{ job_id: ID, monitor_id: null, version: 1, status: 'completed', pause_reason: null, resumes_at: null },
    ...{ name: 'May', metadata: {}, omitted: 0, credits: { reserved: 0, charged: 5 } },
    counts: { total: 10, pending: 0, processing: 0, cached: 3, fetched: 5, error: 2, cancelled: 0 },
    ...more,
  } as WebhookData<'job.completed'>);

const others: readonly WebhookEvent[] = [
  job('job.completed'),
  job('job.failed'),
  job('job.paused', { status: 'paused', pause_reason: 'insufficient_credits' }),
  job('job.resumed', { name: null }),
  event('credits.low', { available: 3, threshold: 10, version: 1 }),
  event('webhook.test', {}),
  event('channel.new_videos', {
    ...{ monitor_id: 'm', channel: null, playlist: 'PL1', title: 'Harbours' },
    videos: Array.from({ length: 100 }, (_, at) => ({
      ...{ video_id: 'dQw4w9WgXcQ', published_at: '2026-01-15', title: `${at} ${'*'.repeat(500)}` },
    })),
  }),
];

// biome-ignore lint/suspicious/noExplicitAny: bodies of three services.
const read = (form: (typeof forms)[number], of: WebhookEvent): any => JSON.parse(bodyFor(form, of, PUBLIC_URL));

/** The texts of the elements of rich text, which are no markup. */
const slackRuns = (of: WebhookEvent): { text: string; url?: string; style?: object }[] =>
  read('slack', of).blocks[0].elements.flatMap((one: { elements: object[] }) => one.elements);
const teamsRuns = (of: WebhookEvent): { text: string; weight?: string; selectAction?: object }[] =>
  read('teams', of).attachments[0].content.body.flatMap(
    (one: { inlines?: object[]; items?: [{ inlines: object[] }] }) =>
      one.items ? one.items[0].inlines : one.inlines,
  );

describe('words that were found, in a chat', () => {
  it.each([
    [4, 'And 1 more place.'],
    [5, 'And at least 2 more places.'],
  ])('of %d places say how many are not shown', (count, said) => {
    const { passages } = (found() as { data: Words }).data;
    const many = found({}, {}, { passages: Array.from({ length: count }, () => passages[0]!) });
    expect(slackRuns(many).map(({ text }) => text)).toContain(said);
  });

  it('are bold in their sentence, which leads to its second, below the title, which leads to the video', () => {
    const [video, second] = [
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=61s',
    ];
    const slack = slackRuns(found());
    expect(slack).toContainEqual({ type: 'link', text: 'A talk', url: video, style: { bold: true } });
    expect(slack).toContainEqual({ type: 'text', text: 'harbour', style: { bold: true } });
    expect(slack).toContainEqual({ type: 'link', text: '1:01', url: second });
    const [embed] = read('discord', found()).embeds;
    expect(embed).toMatchObject({ title: 'A talk', url: video });
    expect(embed.description).toContain(`> Here is the **harbour** of old. [1\\:01](<${second}>)`);
    const teams = teamsRuns(found());
    expect(teams[0]).toMatchObject({ text: 'A talk', selectAction: { type: 'Action.OpenUrl', url: video } });
    expect(teams).toContainEqual({ type: 'TextRun', text: 'harbour', weight: 'bolder' });
    expect(teams).toContainEqual(
      expect.objectContaining({ text: '1:01', selectAction: { type: 'Action.OpenUrl', url: second } }),
    );
    for (const form of forms) expect(bodyFor(form, found(), PUBLIC_URL)).toMatch(/cost 1 credit, or 0/);
  });

  const hostile = '<!channel> @everyone [x](https://evil.example) https://evil.example **b** <@1> `c` </b> &';

  it('mention nobody and link nothing that a stranger wrote', () => {
    const of = found({ title: hostile, channel_title: hostile }, { text: hostile, words: undefined });
    const slack = read('slack', of);
    expect(slack.text).not.toMatch(/<|>|@(?!\u2060)|:\/\//);
    expect(slackRuns(of).filter(({ url }) => url?.includes('evil'))).toEqual([]);
    const { embeds, allowed_mentions: mentions } = read('discord', of);
    expect(mentions).toEqual({ parse: [] });
    // Every sign stands behind a backslash, but those of our own links and lines.
    const own = embeds[0].description.replaceAll(/\[[\d\\:]+\]\(<[^>]+>\)|\*\*harbour\*\*|^(?:>|-#) /gm, '');
    expect(own.replaceAll(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[@<>[\]()*_`#:]/);
    expect(teamsRuns(of).filter((one) => JSON.stringify(one.selectAction ?? {}).includes('evil'))).toEqual([]);
  });

  const family = '👨‍👩‍👧‍👦';

  it.each([
    ['letters of several characters', family.repeat(400)],
    ['signs that are escaped', '*'.repeat(400)],
    ['quotation marks', '"\\'.repeat(200)],
    ['a line without a blank', 'x'.repeat(400)],
  ])('are cut at the limits of each service without breaking a letter or a link: %s', (_, words) => {
    const passage = { text: words.slice(0, 400), words: words.slice(0, 300) };
    const passages = Array.from({ length: 5 }, () => ({
      start: 1,
      url: 'https://www.youtube.com/watch?v=x',
      ...passage,
    }));
    const of = found({ title: words, channel_title: words }, passage, { passages });
    const [embed] = read('discord', of).embeds;
    const built = new EmbedBuilder().setTitle(embed.title).setDescription(embed.description).setURL(embed.url);
    expect(built.toJSON()).toEqual(embed);
    expect(embed.title).not.toMatch(/(?<!\\)(?:\\\\)*\\…$/);
    for (const link of embed.description.match(/\]\(<[^)]*/g) ?? []) expect(link).toMatch(/>$/);
    expect(cardFaults(read('teams', of).attachments[0].content)).toEqual([]);
    expect(Buffer.byteLength(bodyFor('teams', of, PUBLIC_URL), 'utf16le')).toBeLessThanOrEqual(28 * 1_024);
    for (const form of forms) {
      const body = bodyFor(form, of, PUBLIC_URL);
      expect(body.isWellFormed()).toBe(true);
      // A family that is cut has no joiner at its end.
      expect(body).not.toMatch(/\u200d…/);
    }
  });
});

describe('other events, in a chat', () => {
  it.each(others.map((of) => [of.kind, of] as const))('say what has happened: %s', (kind, of) => {
    const [embed] = read('discord', of).embeds;
    new EmbedBuilder()
      .setTitle(embed.title)
      .setDescription(embed.description)
      .setURL(embed.url ?? null);
    expect(cardFaults(read('teams', of).attachments[0].content)).toEqual([]);
    const words = slackRuns(of)
      .map(({ text }) => text)
      .join(' ');
    const expected: Partial<Record<WebhookKind, RegExp>> = {
      'job.completed': /Job "May" has ended 8 of 10 transcripts delivered, 2 failed\. It cost 5 credits/,
      'job.failed': /has failed/,
      'job.paused': /is paused Credits are missing/,
      'job.resumed': /goes on/,
      'credits.low': /running low 3 credits left, fewer than 10/,
      'webhook.test': /A test/,
      'channel.new_videos': /100 new videos in Harbours .*And 90 more/,
    };
    expect(words).toMatch(expected[kind] ?? /never/);
  });

  it('lead to their page of the dashboard, if its address is known', () => {
    const [title] = slackRuns(job('job.completed'));
    expect(title?.url).toBe(`${PUBLIC_URL}/dashboard/jobs/${ID}`);
    expect(bodyFor('slack', job('job.completed'), null)).not.toContain('/dashboard');
  });
});
