import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { findVideo } from '../api/transcripts.ts';
import { useChange } from '../api/use-change.ts';
import { SPOKEN } from '../languages.ts';
import { Failure } from '../parts/failure.tsx';
import { Field, readText } from '../parts/field.tsx';
import { LanguageField } from '../parts/language-field.tsx';
import { Box, Page } from '../parts/page.tsx';
import { readingAddress } from '../transcript.ts';

const MAX_ADDRESS_LENGTH = 2_048;

/** Any address of a video leads to the view of its transcript. */
export const ChooseVideo = () => {
  const [, navigate] = useLocation();
  const find = useChange({
    change: async ({ input, language }: { input: string; language: string }) => {
      const { video } = await findVideo(input);
      return { video: video.id, language };
    },
    reads: [],
    onDone: (wish) => navigate(readingAddress(wish)),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    find.mutate({ input: readText(form, 'input'), language: readText(form, 'language') });
  };
  return (
    <Page
      title="Read a transcript"
      note="Cached transcripts are free, a new one costs 1 credit. The next page says which it is."
    >
      <Box>
        <form onSubmit={submit}>
          <div className="columns">
            <Field
              label="Video"
              name="input"
              required
              maxLength={MAX_ADDRESS_LENGTH}
              autoComplete="off"
              placeholder="https://www.youtube.com/watch?v=…"
              hint="Its address, or its id."
            />
            <LanguageField value={SPOKEN} />
          </div>
          <Failure error={find.error} />
          <button className="button first" type="submit" disabled={find.isPending}>
            {find.isPending ? 'Looking…' : 'Open'}
          </button>
        </form>
      </Box>
    </Page>
  );
};
