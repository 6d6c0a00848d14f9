import { Link, useLocation } from 'wouter';
import type { accessTabs } from '../views.ts';

/** Links between the views of one entry of the side bar. */
export const Tabs = ({ label, tabs }: { label: string; tabs: typeof accessTabs }) => {
  const [view] = useLocation();
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([address, name]) => (
        <Link key={address} href={address} {...(address === view && { 'aria-current': 'page' })}>
          {name}
        </Link>
      ))}
    </nav>
  );
};
