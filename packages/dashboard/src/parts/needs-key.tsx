import { useQuery } from '@tanstack/react-query';
import type { Answer } from '@transcript-delivery/sdk';
import { type FormEvent, useState } from 'react';
import { keysQuery } from '../api/queries.ts';
import { send } from '../api/send.ts';
import { useChange } from '../api/use-change.ts';
import { isKey, setTabKey } from '../tab-key.ts';
import { Failure, ReadFailure } from './failure.tsx';
import { Field, textOf } from './field.tsx';
import { Box } from './page.tsx';

const NAME = 'Browser';

/** Creates the key "Browser", or a new secret for it: so this takes one place of the account, however often it is used. */
const useBrowserKey = () => {
  const keys = useQuery(keysQuery);
  const [once, setOnce] = useState(() => crypto.randomUUID());
  const create = useChange({
    change: () => {
      const known = keys.data?.keys.find(({ name, status }) => name === NAME && status === 'active');
      return known
        ? send<Answer<'rotateKey', 201>>('POST', `/v1/keys/${known.id}/rotate`, { body: {}, once })
        : send<Answer<'createKey', 201>>('POST', '/v1/keys', { body: { name: NAME }, once });
    },
    reads: [keysQuery.queryKey],
    onDone: ({ key }) => {
      setTabKey(key.secret);
      setOnce(crypto.randomUUID());
    },
  });
  return { keys, create };
};

/** What no session may do is done with a key, which this tab keeps in memory. */
export const NeedsKey = ({ what }: { what: string }) => {
  const [isWrong, setWrong] = useState(false);
  const { keys, create } = useBrowserKey();
  const paste = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = textOf(new FormData(event.currentTarget), 'key');
    setWrong(!isKey(key));
    if (isKey(key)) setTabKey(key);
  };
  return (
    <Box title="This needs a key">
      <p>
        {what} A sign-in alone may not do it. This tab keeps the key in memory only: closing or reloading the
        tab forgets it.
      </p>
      <ReadFailure of={keys} />
      <Failure error={create.error} />
      <p className="row">
        <button
          className="button first"
          type="button"
          disabled={!keys.data || create.isPending}
          onClick={() => create.mutate()}
        >
          Use a new key in this tab
        </button>
        <span className="soft">It is named “{NAME}”, and replaces the one of an earlier tab.</span>
      </p>
      <form className="row paste" onSubmit={paste}>
        <Field
          label="Or paste a key that you have"
          name="key"
          type="password"
          autoComplete="off"
          placeholder="svc_live_…"
          required
          hint={isWrong ? 'This is no key: it begins with svc_live_.' : undefined}
        />
        <button className="button" type="submit">
          Use it
        </button>
      </form>
    </Box>
  );
};
