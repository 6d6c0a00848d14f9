import { inspect } from 'node:util';
import type { z } from 'zod';

/** Lists every problem of an environment; shows no value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(service: string, problems: readonly string[]) {
    super(`${service} cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Shorter values are words such as `on`, which a message may contain by itself. */
const MIN_QUOTED_VALUE_LENGTH = 4;

const describe = (issue: z.core.$ZodIssue, environment: NodeJS.ProcessEnv): string => {
  const name = String(issue.path[0] ?? 'environment');
  const value = environment[name];
  if (value === undefined) return `${name} is missing`;
  const message =
    value.length < MIN_QUOTED_VALUE_LENGTH ? issue.message : issue.message.replaceAll(value, '[value]');
  return `${name}: ${message}`;
};

/** Empty means absent, as in `FOO= npm start`. */
const withoutEmpty = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));

/**
 * Reads a service's environment by its schema, an object whose keys are the variables' names.
 * Throws ConfigError with all problems at once.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
  { service }: { service: string },
): z.output<Schema> {
  const values = withoutEmpty(environment);
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    service,
    parsed.error.issues.map((issue) => describe(issue, values)),
  );
}

const REDACTED = '[redacted]';

/** A value that no log, template, JSON or inspection shows. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
