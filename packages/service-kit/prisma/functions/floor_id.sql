-- The smallest identifier of that moment: what is older compares less.
CREATE OR REPLACE FUNCTION messaging.floor_id(at timestamptz) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (encode(substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3), 'hex') || repeat('0', 20))::uuid
$$;
