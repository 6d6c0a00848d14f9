const GATES: ReadonlySet<string> = new Set(['xpe', 'xpv']);
const EXPIRY_MARGIN_MS = 30_000;

const split = (path: string): { pathname: string; parameters: readonly string[] } => {
  const mark = path.indexOf('?');
  if (mark < 0) return { pathname: path, parameters: [] };
  return { pathname: path.slice(0, mark), parameters: path.slice(mark + 1).split('&') };
};

const nameOf = (parameter: string) => parameter.split('=', 1)[0] ?? '';
const parameterOf = (path: string, name: string): string | null =>
  new URLSearchParams(split(path).parameters.join('&')).get(name);

/** True if the address answers an empty body without a token: its `exp` lists `xpe` or `xpv`. */
export const needsToken = (path: string): boolean =>
  (parameterOf(path, 'exp') ?? '').split(',').some((mark) => GATES.has(mark));

/** True if the signed address has expired, or will before the answer. */
export const isExpired = (path: string, now: Date): boolean => {
  const expire = parameterOf(path, 'expire');
  return expire !== null && /^\d+$/.test(expire) && Number(expire) * 1000 < now.getTime() + EXPIRY_MARGIN_MS;
};

type CaptionRequest = {
  readonly translateTo: string | null;
  readonly token: { readonly value: string; readonly client: string } | null;
};

/** The address of json3 with the wanted translation and token. Signed parameters stay byte for byte. */
export const captionPath = (path: string, request: CaptionRequest): string => {
  const { pathname, parameters } = split(path);
  const replacedNames = ['fmt', 'tlang', ...(request.token === null ? [] : ['xosf', 'pot', 'potc', 'c'])];
  const remaining = parameters.filter(
    (parameter) => parameter !== '' && !replacedNames.includes(nameOf(parameter)),
  );
  const additions = new URLSearchParams({ fmt: 'json3' });
  if (request.translateTo !== null) additions.set('tlang', request.translateTo);
  if (request.token !== null) {
    additions.set('pot', request.token.value);
    additions.set('potc', '1');
    additions.set('c', request.token.client);
  }
  return `${pathname}?${[...remaining, additions.toString()].join('&')}`;
};
