import { accessScope } from '@tds/contracts';
import { oauthRoutes } from './oauth-paths.ts';

/** What this server reads of the request of an app. The library would refuse some of what apps send to other servers, too. */
const SUPPORTED: ReadonlySet<string> = new Set([
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'state', 'scope', 'resource'],
  ...['code_challenge', 'code_challenge_method', 'prompt'],
]);

const isSupported = ([name, value]: readonly [string, string]): boolean =>
  // Every request is shown to the holder, so `none` is the only prompt that asks for something else.
  name === 'prompt' ? value === 'none' : SUPPORTED.has(name);

/** An app that names none of our scopes lets the holder choose among all. */
const withScope = (params: URLSearchParams): URLSearchParams => {
  const scopes = (params.get('scope') ?? '').split(' ');
  if (!accessScope.options.some((scope) => scopes.includes(scope)))
    params.set('scope', accessScope.options.join(' '));
  return params;
};

/** The address of an app's request with what this server reads of it; other addresses as they are. */
export const adaptAddress = (url: string): string => {
  const { authorization } = oauthRoutes;
  if (!url.startsWith(`${authorization}?`)) return url;
  const params = [...new URLSearchParams(url.slice(authorization.length))].filter(isSupported);
  return `${authorization}?${withScope(new URLSearchParams(params))}`;
};
