import type { Passage } from '@transcript-delivery/sdk';
import { memo, type RefObject } from 'react';
import { PASSAGE } from './highlights.ts';
import { clock, headingsOf, type ReadableTranscript, watchUrl } from './transcript.ts';

type LineProps = {
  readonly passage: Passage;
  readonly index: number;
  readonly video: string;
  readonly onCopy: (index: number) => void;
};

const Line = ({ passage, index, video, onCopy }: LineProps) => {
  const at = clock(passage.start);
  return (
    <div className="passage">
      <a href={watchUrl(video, passage.start)} target="_blank" rel="noopener noreferrer">
        {at}
      </a>
      <p dir="auto" {...{ [PASSAGE]: index }}>
        {passage.text}
      </p>
      <button className="button small" type="button" onClick={() => onCopy(index)}>
        Copy<span className="hidden"> the passage at {at}</span>
      </button>
    </div>
  );
};

type PassagesProps = {
  readonly transcript: ReadableTranscript;
  readonly passages: readonly Passage[];
  readonly article: RefObject<HTMLElement | null>;
  readonly onCopy: (index: number) => void;
};

/** The text, with times that lead to their second of the video. It is rendered once; a search paints on it. */
export const Passages = memo(({ transcript, passages, article, onCopy }: PassagesProps) => {
  const { video, language } = transcript;
  const headings = headingsOf(passages, video.chapters ?? []);
  return (
    <article ref={article} className="passages" lang={language.delivered} aria-label="Transcript">
      {passages.map((passage, index) => [
        headings.get(index)?.map(({ start, title }) => (
          <h3 key={`${start} ${title}`} dir="auto">
            {title}
          </h3>
        )),
        // biome-ignore lint/suspicious/noArrayIndexKey: passages never move
        <Line key={index} passage={passage} index={index} video={video.id} onCopy={onCopy} />,
      ])}
    </article>
  );
});
