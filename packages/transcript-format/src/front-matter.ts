import type { LanguageDelivery, VideoSummary } from '@tds/contracts';
import { videoUrl } from '@tds/platform-addresses/platform-urls';
import { cleanText, readingTime, singleLine, withoutHiddenMarks } from './cues.ts';
import { publishedDay } from './file-names.ts';
import { BODY } from './markdown.ts';

export type NotedVideo = Pick<VideoSummary, 'id' | 'title' | 'channel_title' | 'published_at' | 'duration'>;

/** One name by which a vault finds its transcripts. Keywords of videos have spaces, which vaults refuse in tags. */
const TAG = 'transcript';

/** Untrusted text on one line, as people see it. */
export const readableLine = (text: string): string => singleLine(cleanText(withoutHiddenMarks(text)));

/** The title of a video, or its id. */
export const videoTitle = ({ id, title }: Pick<NotedVideo, 'id' | 'title'>): string =>
  readableLine(title ?? '') || id;

/** A string of JSON without controls is one of YAML, in each of its versions. */
const quote = (text: string): string | null => (text === '' ? null : JSON.stringify(readableLine(text)));

/** Names that no generator of sites has for its own: Hugo takes `url` for the path of the page, Jekyll and Hexo `published` for a switch. */
const yamlLines = (video: NotedVideo, { delivered }: LanguageDelivery): string[] => {
  const fields = {
    title: quote(videoTitle(video)),
    channel: quote(readableLine(video.channel_title ?? '')),
    published_at: publishedDay(video.published_at),
    // Quoted, because YAML 1.1 takes 12:34 for a number of base 60.
    duration: video.duration === null ? null : quote(readingTime(video.duration)),
    language: quote(delivered),
    source: quote(videoUrl(video.id)),
    tags: `[${TAG}]`,
  };
  return Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
};

/** The parts of a file of `markdownFor`. */
export const splitMarkdown = (file: string) => {
  const [start, end] = [file.indexOf('\n'), file.indexOf(BODY)];
  return {
    heading: file.slice(0, start),
    facts: file.slice(start, end).trim(),
    body: file.slice(end + BODY.length).trim(),
  };
};

const repeatedFact = /^- (?:Video|Channel|Published|Duration): /;

/** A file of `markdownFor` as a note: YAML before it, in the place of the facts of the video that it lists. */
export const withFrontMatter = (file: string, video: NotedVideo, language: LanguageDelivery): string => {
  const { heading, facts, body } = splitMarkdown(file);
  const otherFacts = facts.split('\n').filter((line) => !repeatedFact.test(line));
  const lines = ['---', ...yamlLines(video, language), '---', '', heading, '', ...otherFacts];
  return `${lines.join('\n')}${BODY}\n${body}\n`;
};
