import type { Answer } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { linksQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { withKey } from '../api/with-key.ts';
import { clock } from '../transcript.ts';
import { Command } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { Field, readText } from './field.tsx';

type Handed = {
  readonly video: string;
  readonly language: string;
  /** Null: the whole transcript. */
  readonly quote: { readonly start: number; readonly end: number } | null;
};

const LinkForm = ({ handed, onClose }: { readonly handed: Handed; readonly onClose: () => void }) => {
  const { video, language, quote } = handed;
  // A repeat after a lost answer is the same link.
  const [once] = useState(() => crypto.randomUUID());
  const making = useChange({
    change: (days: number) =>
      withKey((key) =>
        send<Answer<'createLink', 201>>('POST', '/v1/links', {
          ...{ key, once },
          body: { video_id: video, language, days, ...quote },
        }),
      ),
    reads: [linksQuery.queryKey],
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    making.mutate(Number(readText(new FormData(event.currentTarget), 'days')));
  };
  const what = quote === null ? 'the transcript' : `the quote at ${clock(quote.start)}`;
  return (
    <Dialog title={`Hand on ${what}`} onClose={onClose}>
      {making.data ? (
        <Command label="Link" text={making.data.link.url} />
      ) : (
        <form onSubmit={submit}>
          <p className="note">
            Who has the link reads the text without an account, for nothing. The page names the account by its
            name in Settings. Links shows how often it was read, and takes it back.
          </p>
          <Field
            label="Days until it ends"
            name="days"
            type="number"
            min={1}
            max={90}
            defaultValue={30}
            required
          />
          <Failure error={making.error} />
          <button className="button first" type="submit" disabled={making.isPending}>
            Make the link
          </button>
        </form>
      )}
      <div className="row end">
        <button className="button" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
};

/** A button that leads to a link of a transcript, or of the quote that is selected. */
export const HandOn = (handed: Handed) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className="button small" type="button" onClick={() => setOpen(true)}>
        Hand on a link
      </button>
      {isOpen && <LinkForm handed={handed} onClose={() => setOpen(false)} />}
    </>
  );
};
