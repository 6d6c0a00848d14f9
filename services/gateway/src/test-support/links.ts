import { randomUUID } from 'node:crypto';
import type { SharedLink } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { newTranscript, VIDEO_ID } from './builders.ts';
import type { TestGateway } from './start-gateway.ts';

export const newLink = (overrides: Partial<SharedLink> = {}): SharedLink => ({
  ...{ id: randomUUID(), person_id: randomUUID(), video_id: VIDEO_ID, title: 'A title' },
  ...{ channel_id: null, channel_title: 'Quay & co', published_at: '2026-01-15', duration: 60 },
  ...{ language: 'en', kind: 'asr', translated: false, requested: 'en', start: null, end: null },
  ...{ created_at: '2026-01-15T12:00:00.000Z', ends_at: '2026-02-14T12:00:00.000Z', opens: 0 },
  ...overrides,
});

/** A fetcher with links of one account, whose text is `file`. */
export const fakeLinks = ({ fetcher: { commands } }: TestGateway, file: () => string) => {
  const links = new Map<string, SharedLink>();
  const state: { accountName: string | null } = { accountName: null };
  const find = (id: string): SharedLink => {
    const link = links.get(id);
    if (!link) throw serviceError('link_not_found');
    return link;
  };
  commands.createLink = async ({ start = null, end = null, language }) => {
    const link = newLink({ start, end, ...(language && { requested: language }) });
    links.set(link.id, link);
    return { link, isReplayed: false };
  };
  commands.listLinks = async () => ({ links: [...links.values()] });
  commands.getLink = async ({ linkId }) => ({ link: find(linkId) });
  commands.endLink = async ({ linkId }) => {
    const link = find(linkId);
    links.delete(linkId);
    return { link };
  };
  commands.openLink = async ({ linkId }) => {
    const link = find(linkId);
    const { title, channel_title, published_at, requested, kind } = link;
    const delivered = newTranscript(file(), { format: 'json', cache: 'HIT', creditsCharged: 0 });
    const video = { ...delivered.video, title, channel_title, published_at };
    const fallback = requested !== 'en';
    const language = { requested, delivered: 'en', kind, fallback, translation: 'not_requested' as const };
    return { link, accountName: state.accountName, transcript: { ...delivered, video, language } };
  };
  return { links, state };
};
