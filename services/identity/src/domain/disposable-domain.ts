/** Whether the domain or one that it is part of stands on the list. Takes the IDNA form, as the list has it. */
export const isDisposableDomain = (domain: string, listed: ReadonlySet<string>): boolean => {
  const labels = domain.split('.');
  return labels.some((_label, index) => listed.has(labels.slice(index).join('.')));
};
