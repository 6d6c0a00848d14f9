import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { matchesQuery, monitorsQuery } from '../api/queries.ts';
import { Matches } from '../parts/matches.tsx';
import { Box } from '../parts/page.tsx';
import { ReadState } from '../parts/read-state.tsx';

const SHOWN = 3;

/** The newest of all, once there are monitors that look for words. */
export const LatestMatches = () => {
  const all = useQuery(monitorsQuery);
  const isWatching = all.data?.monitors.some(({ words }) => words.length > 0) === true;
  const found = useQuery({ ...matchesQuery('limit=30'), enabled: isWatching });
  if (!isWatching) return <ReadState of={all} />;
  return (
    <Box title="Latest matches" actions={<Link href="/matches">All matches</Link>}>
      <ReadState of={found} />
      {found.data?.total === 0 && <p className="soft">None yet.</p>}
      {found.data && <Matches matches={found.data.matches} most={SHOWN} />}
    </Box>
  );
};
