import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Router, Switch } from 'wouter';
import { accountQuery, queryClient } from './api/queries.ts';
import { isSignedOut } from './api/send.ts';
import { Billing } from './pages/billing.tsx';
import { Connect } from './pages/connect.tsx';
import { Connections } from './pages/connections.tsx';
import { DeliveryPage } from './pages/delivery.tsx';
import { JobPage } from './pages/job.tsx';
import { Jobs } from './pages/jobs.tsx';
import { Keys } from './pages/keys.tsx';
import { Ledger } from './pages/ledger.tsx';
import { Library } from './pages/library.tsx';
import { MonitorPage } from './pages/monitor.tsx';
import { Monitors } from './pages/monitors.tsx';
import { NewJob } from './pages/new-job.tsx';
import { Overview } from './pages/overview.tsx';
import { Read } from './pages/read.tsx';
import { RequestPage } from './pages/request.tsx';
import { Requests } from './pages/requests.tsx';
import { Settings } from './pages/settings.tsx';
import { Webhooks } from './pages/webhooks.tsx';
import { Page } from './parts/page.tsx';
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

const Views = () => (
  <Switch>
    <Route path="/" component={Overview} />
    <Route path="/read" component={Read} />
    <Route path="/library" component={Library} />
    <Route path="/keys" component={Keys} />
    <Route path="/connections" component={Connections} />
    <Route path="/connect" component={Connect} />
    <Route path="/jobs" component={Jobs} />
    <Route path="/jobs/new" component={NewJob} />
    <Route path="/jobs/:id">{({ id }) => <JobPage key={id} id={id} />}</Route>
    <Route path="/monitors" component={Monitors} />
    <Route path="/monitors/:id">{({ id }) => <MonitorPage key={id} id={id} />}</Route>
    <Route path="/webhooks" component={Webhooks} />
    <Route path="/webhooks/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
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
);

const App = () => {
  const account = useQuery(accountQuery);
  const id = account.data?.account.id;
  const mustSignIn = !account.data && isSignedOut(account.error);
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
  return mustSignIn ? null : <Shell account={account} views={<Views />} />;
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
