import type { IconName } from './icon.tsx';

type Tab = readonly [address: string, name: string];

/** What may use the account. */
export const accessTabs: readonly Tab[] = [
  ['/keys', 'Keys'],
  ['/connections', 'Connected apps'],
  ['/webhooks', 'Webhooks'],
  ['/receivers', 'Receivers'],
];

/** What was used and charged. */
export const billingTabs: readonly Tab[] = [
  ['/billing', 'Billing'],
  ['/billing/ledger', 'Ledger'],
  ['/requests', 'Requests'],
];

export const monitorTabs: readonly Tab[] = [
  ['/monitors', 'Monitors'],
  ['/matches', 'Matches'],
];

export const libraryTabs: readonly Tab[] = [
  ['/library', 'Library'],
  ['/links', 'Links'],
];

type Entry = {
  readonly address: string;
  readonly name: string;
  readonly icon: IconName;
  /** Views that it leads to beside its own. */
  readonly tabs?: readonly Tab[];
  /** Also for people who only see what is used and pay. */
  readonly isForAll?: true;
};

/** The side bar, without the documentation. */
export const entries: readonly Entry[] = [
  { address: '/', name: 'Overview', icon: 'overview', isForAll: true },
  { address: '/read', name: 'Read', icon: 'read' },
  { address: '/library', name: 'Library', icon: 'library', tabs: libraryTabs },
  { address: '/jobs', name: 'Jobs', icon: 'jobs' },
  { address: '/monitors', name: 'Monitors', icon: 'monitors', tabs: monitorTabs },
  { address: '/keys', name: 'Access', icon: 'keys', tabs: accessTabs },
  { address: '/billing', name: 'Billing', icon: 'billing', tabs: billingTabs, isForAll: true },
  { address: '/settings', name: 'Settings', icon: 'settings', isForAll: true },
];

const isBelow = (address: string, path: string): boolean =>
  address === path || (path !== '/' && address.startsWith(`${path}/`));

/** Whether a view belongs to an entry of the side bar. */
export const isIn = ({ address, tabs = [] }: Entry, view: string): boolean =>
  [address, ...tabs.map(([path]) => path)].some((path) => isBelow(view, path));
