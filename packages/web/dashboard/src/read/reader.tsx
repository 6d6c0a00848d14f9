import type { Passage } from '@transcript-delivery/sdk';
import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Copy } from '../parts/copy.tsx';
import { findMatches, formatCount, type Match, matchAt } from './find-matches.ts';
import { paintCurrent, paintFound, selectedIn } from './highlights.ts';
import { Passages } from './passages.tsx';
import { clock, findSecond, formatQuote, type ReadableTranscript } from './transcript.ts';

type SearchProps = {
  readonly passages: readonly Passage[];
  readonly article: RefObject<HTMLElement | null>;
};

const Search = ({ passages, article }: SearchProps) => {
  const [words, setWords] = useState('');
  const [steps, setSteps] = useState(0);
  // The field never waits for the search.
  const wanted = useDeferredValue(words);
  const texts = useMemo(() => passages.map(({ text }) => text), [passages]);
  const matches = useMemo(() => findMatches(texts, wanted), [texts, wanted]);
  const current = matchAt(steps, matches.length);
  useEffect(() => {
    if (article.current) paintFound(article.current, matches);
  }, [article, matches]);
  useEffect(() => {
    if (article.current) paintCurrent(article.current, matches[current]);
  }, [article, matches, current]);
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
  const [selected, setSelected] = useState<{ text: string; seconds: number } | null>(null);
  useEffect(() => {
    const follow = () => {
      const found = article.current && selectedIn(article.current);
      if (found) setSelected({ text: found.text, seconds: findSecond(passages, cues, found) });
    };
    document.addEventListener('selectionchange', follow);
    return () => document.removeEventListener('selectionchange', follow);
  }, [cues, passages, article]);
  return selected;
};

/** A transcript to read: its search, its text, and quotes of it. */
export const Reader = ({ transcript }: { transcript: ReadableTranscript }) => {
  const article = useRef<HTMLElement>(null);
  const { passages } = transcript;
  const selected = useSelected(transcript, article);
  const [copied, setCopied] = useState('');
  const copyPassage = useCallback(
    async (index: number) => {
      const { text = '', start = 0 } = passages[index] ?? {};
      await navigator.clipboard.writeText(formatQuote(transcript, { text, seconds: start }));
      setCopied(`Copied the passage at ${clock(start)}`);
    },
    [transcript, passages],
  );
  return (
    <>
      <div className="reader-bar">
        <Search passages={passages} article={article} />
        {selected ? (
          <Copy
            text={formatQuote(transcript, selected)}
            label={`Copy the quote at ${clock(selected.seconds)}`}
          />
        ) : (
          <span className="soft hint">Select text to copy it as a quote.</span>
        )}
        <span className="hidden" role="status">
          {copied}
        </span>
      </div>
      <Passages transcript={transcript} article={article} onCopy={copyPassage} />
    </>
  );
};
