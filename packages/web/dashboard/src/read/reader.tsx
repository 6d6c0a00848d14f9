import type { Passage } from '@transcript-delivery/sdk';
import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Cite } from '../parts/cite.tsx';
import { Copy } from '../parts/copy.tsx';
import { HandOn } from '../parts/hand-on.tsx';
import { clock, findEnd, findSecond, formatQuote, passageAt, type ReadableTranscript } from '../transcript.ts';
import { findMatches, formatCount, type Match, matchAt } from './find-matches.ts';
import { paintCurrent, paintFound, selectedIn } from './highlights.ts';
import { paintMarks } from './marks.ts';
import { Passages } from './passages.tsx';
import { Player, type PlayerControls } from './player-frame.tsx';

type SearchProps = {
  readonly passages: readonly Passage[];
  /** The passage at which the reader begins; -1 for the first. */
  readonly opened: number;
  /** Words that are searched at once. */
  readonly given: string;
  readonly article: RefObject<HTMLElement | null>;
};

const Search = ({ passages, opened, given, article }: SearchProps) => {
  const texts = useMemo(() => passages.map(({ text }) => text), [passages]);
  const [begin] = useState(() => findMatches(texts, given).findIndex(({ text }) => text >= opened));
  // The whole passage is shown if it has no such words.
  const [words, setWords] = useState(begin < 0 ? '' : given);
  const [steps, setSteps] = useState(begin + 1);
  // The field never waits for the search.
  const wanted = useDeferredValue(words);
  const matches = useMemo(() => findMatches(texts, wanted), [texts, wanted]);
  const current = matchAt(steps, matches.length);
  useEffect(() => {
    if (article.current) paintFound(article.current, matches);
  }, [article, matches]);
  useEffect(() => {
    const whole = { text: opened, start: 0, end: passages[opened]?.text.length ?? 0 };
    const begins = wanted === '' && opened >= 0 ? whole : undefined;
    if (article.current) paintCurrent(article.current, matches[current] ?? begins);
  }, [article, matches, current, wanted, opened, passages]);
  const move = (by: 1 | -1) => setSteps((known) => known + by || by);
  return (
    <search className="row">
      <input
        type="search"
        aria-label="Search in the transcript"
        placeholder="Search in the transcript"
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          setSteps(0);
        }}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && move(shiftKey ? -1 : 1)}
      />
      <Arrow name="Previous" matches={matches} onPress={() => move(-1)} />
      <Arrow name="Next" matches={matches} onPress={() => move(1)} />
      <span className="soft" role="status">
        {wanted.trim() !== '' && formatPlace(matches, current, passages)}
      </span>
    </search>
  );
};

const formatPlace = (matches: readonly Match[], current: number, passages: readonly Passage[]): string => {
  const passage = passages[matches[current]?.text ?? -1];
  return `${formatCount(matches, current)}${passage ? `, at ${clock(passage.start)}` : ''}`;
};

type ArrowProps = { readonly name: string; readonly matches: readonly Match[]; readonly onPress: () => void };
const Arrow = ({ name, matches, onPress }: ArrowProps) => (
  <button className="button small" type="button" disabled={matches.length === 0} onClick={onPress}>
    {name}
  </button>
);

/** The last text that was selected in the article, with the second at which it begins. */
const useSelected = ({ cues, passages }: ReadableTranscript, article: RefObject<HTMLElement | null>) => {
  const [selected, setSelected] = useState<{ text: string; seconds: number; end: number } | null>(null);
  useEffect(() => {
    const follow = () => {
      const found = article.current && selectedIn(article.current);
      if (!found) return;
      const seconds = findSecond(passages, cues, found);
      setSelected({ text: found.text, seconds, end: findEnd(passages, cues, found) });
    };
    document.addEventListener('selectionchange', follow);
    return () => document.removeEventListener('selectionchange', follow);
  }, [cues, passages, article]);
  return selected;
};

/** Where a transcript is opened. */
export type ReaderPlace = {
  /** A second; null for the beginning. */
  readonly at: number | null;
  /** Words that are said there; empty if they are not known. */
  readonly words: string;
};

/** The passage that the player says. It stays in view, unless the reader has gone elsewhere. */
const useSpoken = ({ passages }: ReadableTranscript, article: RefObject<HTMLElement | null>) => {
  const [spoken, setSpoken] = useState(-1);
  const before = useRef(-1);
  const onSecond = useCallback((second: number) => setSpoken(passageAt(passages, second)), [passages]);
  useEffect(() => {
    const lines = article.current?.querySelectorAll('.passage');
    const left = lines?.[before.current]?.getBoundingClientRect();
    before.current = spoken;
    if (left && left.bottom > 0 && left.top < innerHeight) lines?.[spoken]?.scrollIntoView({ block: 'start' });
  }, [article, spoken]);
  return { spoken, onSecond };
};

type ReaderProps = {
  readonly transcript: ReadableTranscript;
  readonly place: ReaderPlace;
  readonly hasVideo: boolean;
};

const toQuoted = ({ video, language }: ReadableTranscript) => ({
  video,
  isTranslated: language.translation === 'served',
});

/** A transcript to read: its search, its text with the video beside it, and quotes of it. */
export const Reader = ({ transcript, place: { at, words }, hasVideo }: ReaderProps) => {
  const article = useRef<HTMLElement>(null);
  const controls = useRef<PlayerControls>(null);
  const { passages, video } = transcript;
  const selected = useSelected(transcript, article);
  const { spoken, onSecond } = useSpoken(transcript, article);
  const [copied, setCopied] = useState('');
  const copyPassage = useCallback(
    async (index: number) => {
      const { text = '', start = 0 } = passages[index] ?? {};
      await navigator.clipboard.writeText(formatQuote(toQuoted(transcript), { text, seconds: start }));
      setCopied(`Copied the passage at ${clock(start)}`);
    },
    [transcript, passages],
  );
  const playPassage = useCallback(
    (index: number) => controls.current?.play(Math.floor(passages[index]?.start ?? 0)) ?? false,
    [passages],
  );
  useEffect(() => {
    const texts = passages.map(({ text }) => text);
    if (article.current) paintMarks(article.current, texts);
  }, [passages]);
  return (
    <div className={hasVideo ? 'reader with-video' : 'reader'}>
      <div className="reader-bar">
        <Search
          passages={passages}
          opened={at === null ? -1 : passageAt(passages, at)}
          given={words}
          article={article}
        />
        {selected ? (
          <Copy
            text={formatQuote(toQuoted(transcript), selected)}
            label={`Copy the quote at ${clock(selected.seconds)}`}
          />
        ) : (
          <span className="soft hint">Select text to copy it as a quote. On a time, C copies its passage.</span>
        )}
        <span className="cite">
          <Cite video={transcript.video.id} at={selected?.seconds ?? at ?? undefined} />{' '}
          <HandOn
            video={video.id}
            language={transcript.language.requested}
            quote={selected && { start: selected.seconds, end: Math.max(selected.end, selected.seconds + 1) }}
          />
        </span>
        <span className="hidden" role="status">
          {copied}
        </span>
      </div>
      {hasVideo && <Player {...{ video: video.id, at, controls, onSecond }} />}
      <Passages
        {...{ transcript, article }}
        spoken={hasVideo ? spoken : -1}
        onCopy={copyPassage}
        onPlay={hasVideo ? playPassage : undefined}
      />
    </div>
  );
};
