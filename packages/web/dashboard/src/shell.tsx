import type { Account } from '@transcript-delivery/sdk';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { isSignedOut, send } from './api/send.ts';
import { useChange } from './api/use-change.ts';
import { useRole } from './api/use-role.ts';
import { Icon } from './icon.tsx';
import { Failure } from './parts/failure.tsx';
import { Select } from './parts/field.tsx';
import { Page } from './parts/page.tsx';
import { ReadState } from './parts/read-state.tsx';
import { leaveSession } from './session.ts';
import { entries, isIn } from './views.ts';

const SignOut = () => {
  const leave = useChange({
    change: () => send('POST', '/v1/auth/logout'),
    reads: [],
    onDone: () => leaveSession('/signin'),
  });
  return (
    <>
      <Failure error={leave.error} />
      <button className="button small" type="button" disabled={leave.isPending} onClick={() => leave.mutate()}>
        Sign out
      </button>
    </>
  );
};

const useSwitch = (address: string) =>
  useChange({
    change: (account_id: string) => send('POST', '/v1/auth/switch', { body: { account_id } }),
    reads: [],
    onDone: () => location.assign(address),
  });

/** The link of a mail names its account, and this browser is signed in to another one. */
const OtherAccount = ({ account }: { account: Account | undefined }) => {
  const wanted = new URLSearchParams(useSearch()).get('account');
  const change = useSwitch(location.href);
  if (!account || wanted === null || wanted === account.account.id) return null;
  const other = account.accounts?.find(({ id }) => id === wanted);
  return (
    <div className="failure" role="alert">
      <p className="what">
        {other ? (
          <>
            This link is of the account of <bdi>{other.email}</bdi>, and you are in that of{' '}
            <bdi>{account.account.email}</bdi>.
          </>
        ) : (
          'This link is of another account. Sign in with the address to which the mail came.'
        )}
      </p>
      <Failure error={change.error} />
      {other && (
        <button
          className="button small"
          type="button"
          disabled={change.isPending}
          onClick={() => change.mutate(other.id)}
        >
          Switch to that account
        </button>
      )}
    </div>
  );
};

/** Who is signed in, and which account the pages are about; a person who is in several chooses. */
const AccountName = ({ account }: { account: Account | undefined }) => {
  const change = useSwitch('/dashboard');
  if (!account) return null;
  const { accounts, person } = account;
  const { id, email } = account.account;
  return (
    <>
      <span className="email">{person?.email ?? email}</span>
      {!accounts && person && person.email !== email && <span className="email">Account of {email}</span>}
      <Failure error={change.error} />
      {accounts && (
        <Select
          label="Account"
          options={accounts.map((one) => [one.id, one.email])}
          value={id}
          disabled={change.isPending}
          onChange={({ currentTarget: { value } }) => change.mutate(value)}
        />
      )}
    </>
  );
};

/** A step to another view moves the focus to its heading, whose name is read; one whose script is loaded takes the focus from there. */
const useFocus = (address: string) => {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    (main.current?.querySelector('h1') ?? main.current)?.focus({ preventScroll: true });
  }, [address]);
  return main;
};

type ShellProps = {
  /** Without it, views that need no account go on. */
  readonly account: { readonly data: Account | undefined; readonly error: unknown };
  readonly view: ReactNode;
};

export const Shell = ({ account, view }: ShellProps) => {
  const [address] = useLocation();
  // On a phone, at the address at which it was opened: a step to another view closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === address;
  const main = useFocus(address);
  const { isWorker } = useRole();
  const seen = isWorker ? entries : entries.filter(({ isForAll }) => isForAll);
  const isBeyond = entries.some((entry) => !seen.includes(entry) && isIn(entry, address));
  return (
    <div className="app">
      <a className="skip" href="#main">
        To the content
      </a>
      <header className="app-side">
        <a className="brand" href="/">
          <img src={document.body.dataset.icon} alt="" width="22" height="22" />
          Transcripts
        </a>
        <button
          className="button small app-menu"
          type="button"
          aria-expanded={isOpen}
          aria-controls="views"
          onClick={() => setOpenAt(isOpen ? null : address)}
        >
          Menu
        </button>
        <nav id="views" className={isOpen ? 'app-nav open' : 'app-nav'} aria-label="Dashboard">
          {seen.map((entry) => (
            <Link
              key={entry.name}
              href={entry.address}
              {...(isIn(entry, address) && { 'aria-current': 'page' })}
            >
              <Icon name={entry.icon} />
              {entry.name}
            </Link>
          ))}
          <a href="/docs">
            <Icon name="docs" />
            Docs
          </a>
        </nav>
        <div className="app-account">
          <AccountName account={account.data} />
          <SignOut />
        </div>
      </header>
      <main id="main" className="app-main" ref={main} tabIndex={-1}>
        {/* Above the view, which keeps what was entered in it. */}
        {isSignedOut(account.error) ? <Failure error={account.error} /> : <ReadState of={account} />}
        <OtherAccount account={account.data} />
        {isBeyond ? (
          <Page title="Not for your role">
            <p className="soft">Ask an owner of the account.</p>
          </Page>
        ) : (
          view
        )}
      </main>
    </div>
  );
};
