const secretNames = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'cookies',
  'setcookie',
  'pass',
  'passwd',
  'pwd',
  'passphrase',
  'pepper',
  'credentials',
  'signature',
  'seed',
  'nkey',
]);
const secretEndings = [
  'password',
  'secret',
  'secrets',
  'token',
  'tokens',
  'apikey',
  'privatekey',
  'accesskey',
];

/** Whether a field of this name is never shown, whatever it holds. */
export const isSecretName = (name: string): boolean => {
  const plain = name.replace(/[-_\s.]/g, '').toLowerCase();
  return secretNames.has(plain) || secretEndings.some((ending) => plain.endsWith(ending));
};

const isCodeName = (name: string): boolean => /(?:^|[a-z_-])code$/i.test(name);

/** no_captions, ECONNREFUSED, ERR_INVALID_ARG, the five characters of an SQLSTATE. */
const errorCode = /^(?:[a-z]{2,}(?:_[a-z0-9]+){0,8}|[A-Z][A-Z]+(?:_[A-Z0-9]+){0,8}|[0-9A-Z]{5})$/;
const LARGEST_STATUS_CODE = 999;

/** A field named code holds a sign-in code unless it looks like an error's code or a status. */
export const isSignInCode = (name: string, value: unknown): boolean => {
  if (!isCodeName(name)) return false;
  if (typeof value === 'number') return value > LARGEST_STATUS_CODE;
  return typeof value === 'string' && !errorCode.test(value);
};
