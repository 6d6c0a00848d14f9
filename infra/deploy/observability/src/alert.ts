/** What one series is while the alert fires, and while all is well; in promtool's notation, a value a minute. */
export type Example = { readonly series: string; readonly fires: string; readonly rests: string };

/** An operator has to act: at once (`page`), or on the next working day (`ticket`). */
export type Alert = {
  readonly name: string;
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  readonly expr: string;
  readonly for: string;
  readonly examples: readonly Example[];
  /** What the alert says beside its name and severity when its examples fire, and what `others` of its name say. */
  readonly labels: Readonly<Record<string, string>>;
  readonly others?: readonly Alert['labels'][];
  /** When its examples are looked at. */
  readonly at?: string;
};

/** A value that stays. */
export const steady = (value: number, minutes = 30): string => `${value}+0x${minutes}`;

/** `OutboxLag` is explained by docs/runbooks/outbox-lag.md. */
export const runbookOf = ({ name }: Pick<Alert, 'name'>): string =>
  `docs/runbooks/${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.md`;
