import { redactText } from '../log/secret-text.ts';

/** Throws while the part is not ready. */
export type Check = () => Promise<void> | void;

const LONGEST_MESSAGE = 200;

const runCheck = async (check: Check, timeoutMs: number): Promise<string> => {
  const timeout = Promise.withResolvers<string>();
  const timer = setTimeout(() => timeout.resolve(`no answer within ${timeoutMs} ms`), timeoutMs);
  try {
    const done = Promise.try(check).then(() => 'ok');
    return await Promise.race([done, timeout.promise]);
  } catch (error) {
    return redactText(Error.isError(error) ? error.message : String(error), LONGEST_MESSAGE) || 'failed';
  } finally {
    clearTimeout(timer);
  }
};

/** All checks at the same time, each with the same time limit; `ok` or what is wrong, by name. */
export const runChecks = async (
  checks: ReadonlyMap<string, Check>,
  timeoutMs: number,
): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all([...checks].map(async ([name, check]) => [name, await runCheck(check, timeoutMs)])),
  );
