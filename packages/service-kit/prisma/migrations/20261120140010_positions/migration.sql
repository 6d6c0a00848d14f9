-- Up to where in the stream a consumer's messages are known to have been dealt with in this database. It goes back with the
-- database, and the broker's idea of it does not: so what a restored copy has lost is found.
CREATE TABLE messaging.positions (
  consumer text PRIMARY KEY,
  -- Which stream of that name: another one counts anew.
  stream_created text NOT NULL,
  stream_seq bigint NOT NULL
);
