type Environment = Readonly<Record<string, string | undefined>>;
type Fetch = typeof globalThis.fetch;

/** How undici says that the proxy did not open a tunnel. That is an answer: a 407 is not worth a repeat, a 503 is. */
const REFUSED = /Proxy response \(([45]\d\d)\)/;
const NAMES = ['https_proxy', 'http_proxy'] as const;
const settingOf = (env: Environment, name: string): string | undefined => env[name] || env[name.toUpperCase()];

/** The messages of an error and its causes, without those that say nothing. */
export const collectReasons = (error: unknown): string[] => {
  const reasons: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause)
    if (at.message && at.message !== 'fetch failed') reasons.push(at.message);
  return reasons;
};

const loadFetch = async (env: Environment): Promise<Fetch> => {
  const { EnvHttpProxyAgent, fetch: fetchBy } = await import('undici');
  const [httpsProxy, httpProxy] = NAMES.map((name) => settingOf(env, name));
  const noProxy = settingOf(env, 'no_proxy');
  const dispatcher = new EnvHttpProxyAgent({
    ...(httpsProxy && { httpsProxy }),
    ...(httpProxy && { httpProxy }),
    ...(noProxy && { noProxy }),
  });
  return ((input, init) => fetchBy(input as never, { ...init, dispatcher } as never)) as Fetch;
};

/** A fetch by the proxy of the environment, as curl uses it. Undefined if none is named: then nothing more is loaded. */
export const proxiedFetch = (env: Environment): Fetch | undefined => {
  if (!NAMES.some((name) => settingOf(env, name))) return undefined;
  let loading: Promise<Fetch> | undefined;
  return async (input, init) => {
    loading ??= loadFetch(env);
    try {
      return await (await loading)(input, init);
    } catch (error) {
      const [, status] = REFUSED.exec(collectReasons(error).join()) ?? [];
      if (status === undefined) throw error;
      return new Response(null, { status: Number(status) });
    }
  };
};

/** For a failed request, without the user of the proxy. */
export const proxyNote = (env: Environment): string => {
  const name = NAMES.find((one) => settingOf(env, one));
  const value = name && settingOf(env, name);
  if (!name || !value) return '';
  const host = URL.canParse(value) ? new URL(value).host : 'no address';
  return `\nRequests use the proxy of ${name.toUpperCase()} (${host}): it may refuse them, or want a user and a password in that variable.`;
};
