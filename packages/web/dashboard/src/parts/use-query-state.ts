import { useLocation, useSearch } from 'wouter';

/** The filters of a view, which stand in its address. Setting one leads to the first page again. */
export const useQueryState = () => {
  const [path, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const set = (changes: Readonly<Record<string, string | number>>) => {
    const next = new URLSearchParams(search);
    next.delete('offset');
    for (const [name, value] of Object.entries(changes)) {
      if (value === '' || value === 0) next.delete(name);
      else next.set(name, String(value));
    }
    navigate(next.size === 0 ? path : `${path}?${next}`);
  };
  return { search, set, offset: Number(search.get('offset') ?? 0) || 0 };
};
