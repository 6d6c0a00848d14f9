-- Nobody seals meanwhile; whoever books goes on.
SELECT pg_advisory_xact_lock(7221611, 0);
INSERT INTO seal_heads (account_id, version, period, hash, free, purchased, reserved)
SELECT a.account_id, s.version, s.period, s.hash, e.free_after, e.purchased_after, e.reserved_after
FROM accounts AS a
CROSS JOIN LATERAL (
  SELECT version, period, hash FROM entry_seals WHERE account_id = a.account_id ORDER BY version DESC LIMIT 1
) AS s
JOIN entries AS e ON e.account_id = a.account_id AND e.version = s.version AND e.period = s.period;
