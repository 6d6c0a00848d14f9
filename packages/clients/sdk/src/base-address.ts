/**
 * The address of the service without `/v1` and slashes at its end, because paths begin with `/v1`. Throws a TypeError for what is no
 * address, so a mistake shows at once and not as a lost connection.
 */
export const baseAddress = (address: string): string => {
  const text = address.trim();
  const hint = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? '' : `: did you mean https://${text}?`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(`baseUrl is no http or https address${hint || `: ${text}`}`);
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl has a user, a query or a fragment: give the address alone');
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  if (path.endsWith('/v1')) path = path.slice(0, -'/v1'.length);
  while (path.endsWith('/')) path = path.slice(0, -1);
  return url.origin + path;
};
