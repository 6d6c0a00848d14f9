import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, StrictMode, Suspense, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Router, Switch, useLocation } from 'wouter';
import { accountQuery, queryClient } from './api/queries.ts';
import { isSignedOut } from './api/send.ts';
import { Overview } from './pages/overview.tsx';
import { Failure } from './parts/failure.tsx';
import { Page } from './parts/page.tsx';
import { ReadState } from './parts/read-state.tsx';
import { Shell } from './shell.tsx';
import './styles/shell.css';
import './styles/boxes.css';
import './styles/forms.css';
import './styles/parts.css';
import './styles/narrow.css';
import './styles/read.css';
import './styles/library.css';
import './styles/print.css';
import { followSession, forgetSession } from './session.ts';
import { applyTheme } from './theme.ts';

/** Its script is that of an earlier release, or the network is away. */
const NotLoaded = () => <Failure error={new Error('not loaded')} retry={() => location.reload()} />;

/** A view whose script is loaded when it is first shown. */
const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() =>
    load().then(
      (page) => ({ default: page }),
      () => ({ default: NotLoaded as ComponentType<Props> }),
    ),
  );

const Billing = lazyPage(async () => (await import('./pages/billing.tsx')).Billing);
const Connect = lazyPage(async () => (await import('./pages/connect.tsx')).Connect);
const Connections = lazyPage(async () => (await import('./pages/connections.tsx')).Connections);
const DeliveryPage = lazyPage(async () => (await import('./pages/delivery.tsx')).DeliveryPage);
const Join = lazyPage(async () => (await import('./pages/join.tsx')).Join);
const JobPage = lazyPage(async () => (await import('./pages/job.tsx')).JobPage);
const Jobs = lazyPage(async () => (await import('./pages/jobs.tsx')).Jobs);
const Keys = lazyPage(async () => (await import('./pages/keys.tsx')).Keys);
const Ledger = lazyPage(async () => (await import('./pages/ledger.tsx')).Ledger);
const Library = lazyPage(async () => (await import('./pages/library.tsx')).Library);
const Links = lazyPage(async () => (await import('./pages/links.tsx')).Links);
const MatchesPage = lazyPage(async () => (await import('./pages/matches.tsx')).MatchesPage);
const MonitorPage = lazyPage(async () => (await import('./pages/monitor.tsx')).MonitorPage);
const Monitors = lazyPage(async () => (await import('./pages/monitors.tsx')).Monitors);
const NewJob = lazyPage(async () => (await import('./pages/new-job.tsx')).NewJob);
const Read = lazyPage(async () => (await import('./pages/read.tsx')).Read);
const Receivers = lazyPage(async () => (await import('./pages/receivers.tsx')).Receivers);
const RequestPage = lazyPage(async () => (await import('./pages/request.tsx')).RequestPage);
const Requests = lazyPage(async () => (await import('./pages/requests.tsx')).Requests);
const Settings = lazyPage(async () => (await import('./pages/settings.tsx')).Settings);
const Webhooks = lazyPage(async () => (await import('./pages/webhooks.tsx')).Webhooks);

const Views = () => (
  <Suspense fallback={<ReadState of={{ data: undefined, error: null }} />}>
    <Switch>
      <Route path="/" component={Overview} />
      <Route path="/read" component={Read} />
      <Route path="/library" component={Library} />
      <Route path="/links" component={Links} />
      <Route path="/keys" component={Keys} />
      <Route path="/connections" component={Connections} />
      <Route path="/connect" component={Connect} />
      <Route path="/join" component={Join} />
      <Route path="/jobs" component={Jobs} />
      <Route path="/jobs/new" component={NewJob} />
      <Route path="/jobs/:id">{({ id }) => <JobPage key={id} id={id} />}</Route>
      <Route path="/matches" component={MatchesPage} />
      <Route path="/monitors" component={Monitors} />
      <Route path="/monitors/:id">{({ id }) => <MonitorPage key={id} id={id} />}</Route>
      <Route path="/webhooks" component={Webhooks} />
      <Route path="/webhooks/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
      <Route path="/receivers" component={Receivers} />
      <Route path="/requests" component={Requests} />
      <Route path="/requests/:id">{({ id }) => <RequestPage key={id} id={id} />}</Route>
      <Route path="/billing" component={Billing} />
      <Route path="/billing/ledger" component={Ledger} />
      <Route path="/settings" component={Settings} />
      <Route>
        <Page title="There is no such page">
          <p>Choose a page from the list.</p>
        </Page>
      </Route>
    </Switch>
  </Suspense>
);

const App = () => {
  const account = useQuery(accountQuery);
  const id = account.data?.account.id;
  const isJoining = useLocation()[0] === '/join';
  const mustSignIn = !account.data && isSignedOut(account.error) && !isJoining;
  const shown = useRef(id);
  useEffect(() => {
    const { pathname, search } = location;
    if (mustSignIn) {
      forgetSession();
      location.replace(`/signin?to=${encodeURIComponent(pathname + search)}`);
    }
    if (id === undefined) return;
    shown.current ??= id;
    if (shown.current !== id) location.reload();
    return followSession(id);
  }, [mustSignIn, id]);
  if (isJoining)
    return (
      <main className="app-main">
        <Views />
      </main>
    );
  return mustSignIn ? null : <Shell account={account} view={<Views />} />;
};

applyTheme();
createRoot(document.getElementById('dashboard') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router base="/dashboard">
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
