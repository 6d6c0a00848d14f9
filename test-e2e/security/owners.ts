import type { Route } from '@tds/http-api';
import { goodRequests } from '@tds/http-api/testing';
import { eventually } from '@tds/test-kit';
import {
  allowAppRequest,
  appAddress,
  bearer,
  CALLBACK,
  type Customer,
  call,
  createBrowser,
  dashboard,
  fileVideo,
  openAppRequest,
  postJson,
  putJson,
  readInvitation,
  signUp,
  type TestSystem,
} from '#support/testing';

const FIRST_VIDEO = 0;
/** Seldom enough for the limit of requests per minute. */
const PATIENTLY = { everyMs: 500 };

/** With a purchase that a stranger has paid, and that waits to be accepted. */
export const withPurchase = async ({ gateway }: TestSystem, owner: Customer): Promise<Customer> => {
  const opened = await postJson(`${gateway}/v1/checkout`, { block: 5, email: owner.email });
  const { checkout_url: page, purchase_id: purchaseId } = opened.json<Record<string, string>>();
  await call(String(page), { method: 'POST' });
  await eventually(async () => {
    const { purchases } = (await owner.get('/v1/billing/purchases')).json<{
      purchases: { status: string }[];
    }>();
    if (purchases[0]?.status !== 'waiting') throw new Error(`the purchase is ${purchases[0]?.status}`);
  }, PATIENTLY);
  return { ...owner, purchaseId: String(purchaseId) };
};

/** With a refill whose card is to come. */
const withRefill = async ({ gateway }: TestSystem, owner: Customer): Promise<Customer> => {
  const { body = {} } = goodRequests.putRefill({ email: owner.email, videoId: '' });
  const put = await putJson(`${gateway}/v1/refill`, body, dashboard(owner));
  if (put.status !== 200) throw new Error(`the refill is ${put.text}`);
  return owner;
};

/** With a request that has failed, and that the log has. */
const withRequest = async (owner: Customer): Promise<Customer> => {
  const failed = await owner.get('/v1/transcript?video_id=x');
  const requestId = String(failed.headers.get('x-request-id'));
  await eventually(async () => {
    const { status } = await owner.get(`/v1/requests/${requestId}`);
    if (status !== 200) throw new Error(`the request is ${status}`);
  }, PATIENTLY);
  return { ...owner, requestId };
};

/** With the request of an app in its browser, whose cookies are those of the session from then on. */
const withAppRequest = async ({ gateway }: TestSystem, owner: Customer): Promise<Customer> => {
  const browser = createBrowser(owner);
  const appRequestId = await openAppRequest(browser, await appAddress(gateway, 'An app'));
  return { ...owner, appRequestId, cookie: browser.cookie() };
};

/** With a second person, who has joined. */
const withPerson = async ({ gateway, mail }: TestSystem, owner: Customer): Promise<Customer> => {
  const email = `${crypto.randomUUID()}@example.com`;
  await postJson(`${gateway}/v1/account/people`, { email, role: 'member' }, dashboard(owner));
  const invitation = await readInvitation(mail.url, email);
  await postJson(`${gateway}/v1/auth/invitation`, { ...invitation, accept_terms: true });
  const listed = await call(`${gateway}/v1/account/people`, { headers: dashboard(owner) });
  const { people } = listed.json<{ people: { id: string; email: string }[] }>();
  return { ...owner, personId: String(people.find((person) => person.email === email)?.id) };
};

/** With a connected app. */
const withConnection = async (system: TestSystem, owner: Customer): Promise<Customer> => {
  const { appRequestId, cookie } = await withAppRequest(system, owner);
  const request = `${system.gateway}/v1/connections/requests/${appRequestId}`;
  await postJson(request, { allow: true }, dashboard({ cookie }));
  const { connections } = (await owner.get('/v1/connections')).json<{ connections: { id: string }[] }>();
  return { ...owner, connectionId: String(connections[0]?.id) };
};

/** Of the challenge in `appAddress` (RFC 7636, appendix B). */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** Connects an app to the account, which may spend `cap` a day. Resolves to its access token and the id of its connection. */
export const connectApp = async (
  { gateway }: TestSystem,
  customer: Customer,
  scopes: readonly string[],
  cap: number | null,
) => {
  // Without the cookies of another app's request.
  const browser = createBrowser({ cookie: String(customer.cookie.split(';', 1)[0]) });
  const address = await appAddress(gateway, 'An app', { scope: scopes.join(' ') });
  const request = `${gateway}/v1/connections/requests/${await openAppRequest(browser, address)}`;
  const back = await allowAppRequest(browser, request, { scopes, daily_credit_cap: cap });
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code: String(back.searchParams.get('code')) },
    ...{ redirect_uri: CALLBACK, code_verifier: VERIFIER },
    client_id: String(new URL(address).searchParams.get('client_id')),
  });
  const exchanged = await call(`${gateway}/oauth/token`, { method: 'POST', body: form });
  const { access_token: token } = exchanged.json<{ access_token: string }>();
  const listed = await call(`${gateway}/v1/connections`, { headers: dashboard(customer) });
  const { connections } = listed.json<{ connections: { id: string }[] }>();
  return { token, connectionId: String(connections[0]?.id) };
};

/** Waits until what stands at the path has this status. */
const until = (owner: Customer, path: string, name: string, status: string): Promise<void> =>
  eventually(async () => {
    const found = (await owner.get(path)).json<Record<string, { status: string }>>()[name]?.status;
    if (found !== status) throw new Error(`${path} is ${found}`);
  }, PATIENTLY);

/** With a webhook, which has taken a test event. */
const withDelivery = async ({ gateway, receiver }: TestSystem, owner: Customer): Promise<Customer> => {
  const webhooks = `${gateway}/v1/webhooks`;
  await putJson(webhooks, { url: receiver.hookUrl }, bearer(owner.key));
  const sent = await call(`${webhooks}/test`, { method: 'POST', headers: bearer(owner.key) });
  const { id: deliveryId } = sent.json<{ delivery: { id: string } }>().delivery;
  await until(owner, `/v1/webhooks/deliveries/${deliveryId}`, 'delivery', 'delivered');
  return { ...owner, deliveryId };
};

/** With a monitor of what a good request of the route watches. */
const withMonitor = async ({ gateway }: TestSystem, owner: Customer): Promise<Customer> => {
  const { body = {} } = goodRequests.createMonitor({ email: owner.email, videoId: '' });
  const made = await postJson(`${gateway}/v1/monitors`, body, bearer(owner.key));
  return { ...owner, monitorId: made.json<{ monitor: { id: string } }>().monitor.id };
};

/** With a link to the video of its job. */
const withLink = async ({ gateway }: TestSystem, owner: Customer): Promise<Customer> => {
  const made = await postJson(`${gateway}/v1/links`, { video_id: owner.jobVideoId }, bearer(owner.key));
  return { ...owner, linkId: made.json<{ link: { id: string } }>().link.id };
};

/** With a further receiver of events. */
const withReceiver = async ({ gateway, receiver }: TestSystem, owner: Customer): Promise<Customer> => {
  const body = { name: 'Newsroom', form: 'signed', url: receiver.hookUrl, events: ['job.completed'] };
  const made = await postJson(`${gateway}/v1/receivers`, body, bearer(owner.key));
  return { ...owner, receiverId: made.json<{ receiver: { id: string } }>().receiver.id };
};

/** The same customer with a key that counts no requests yet. */
export const withNewKey = async ({ gateway }: TestSystem, owner: Customer, cap?: number): Promise<Customer> => {
  const asked = { name: 'new', ...(cap && { daily_credit_cap: cap }) };
  const created = await postJson(`${gateway}/v1/keys`, asked, dashboard(owner));
  const { id: keyId, secret: key } = created.json<{ key: { id: string; secret: string } }>().key;
  return { ...owner, keyId, key };
};

/** Customers who have what routes are about. */
export const createOwners = (system: TestSystem) => {
  let videos = FIRST_VIDEO;
  /** With a job of one video, which has ended. */
  const withJob = async (owner: Customer): Promise<Customer> => {
    const jobVideoId = fileVideo(++videos);
    const ask = () => postJson(`${system.gateway}/v1/jobs`, { video_ids: [jobVideoId] }, bearer(owner.key));
    const jobId = await eventually(async () => {
      const begun = (await ask()).json<{ job?: { id: string } }>();
      if (!begun.job) throw new Error(`no job was begun: ${JSON.stringify(begun)}`);
      return begun.job.id;
    }, PATIENTLY);
    await until(owner, `/v1/jobs/${jobId}`, 'job', 'completed');
    return { ...owner, jobId, jobVideoId };
  };

  /** A customer of its own, with whatever the path of the row names. */
  const ownerFor = async ({ path }: Route): Promise<Customer> => {
    const owner = await signUp(system);
    if (path.startsWith('/v1/webhooks/')) return withDelivery(system, owner);
    if (path.startsWith('/v1/monitors/')) return withMonitor(system, owner);
    if (path === '/v1/links') return withJob(owner);
    if (path === '/v1/refill/card') return withRefill(system, owner);
    if (path.includes('{linkId}')) return withLink(system, await withJob(owner));
    if (path.includes('{receiverId}')) return withReceiver(system, owner);
    if (path.includes('{connectionId}')) return withConnection(system, owner);
    if (path.includes('{appRequestId}')) return withAppRequest(system, owner);
    if (path.includes('{personId}')) return withPerson(system, owner);
    if (path.includes('{purchaseId}')) return withPurchase(system, owner);
    return path.includes('{id}') ? withJob(owner) : owner;
  };

  /** A customer with whatever the path of a read names. */
  const equippedOwner = async (): Promise<Customer> => {
    const linking = await withLink(system, await withJob(await signUp(system)));
    const owner = await withReceiver(system, await withDelivery(system, linking));
    const watching = await withPerson(system, await withRequest(await withMonitor(system, owner)));
    return withAppRequest(system, await withConnection(system, watching));
  };

  const strangers = new Map<string, Customer>();
  /** One for all rows with this parameter, so that it stays below the limit of its key. */
  const strangerTo = async (parameter: string): Promise<Customer> => {
    const stranger = strangers.get(parameter) ?? (await signUp(system));
    strangers.set(parameter, stranger);
    return stranger;
  };

  return { ownerFor, equippedOwner, strangerTo };
};
