-- A UUID of version 7: in time order, so that purging and replaying by age are range scans of the primary key.
CREATE OR REPLACE FUNCTION messaging.id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3)
          FROM 1 FOR 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$$;

-- The smallest identifier of that moment: what is older compares less.
CREATE OR REPLACE FUNCTION messaging.floor_id(at timestamptz) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (encode(substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3), 'hex') || repeat('0', 20))::uuid
$$;
