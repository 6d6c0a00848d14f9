CREATE TABLE requests (
  account_id uuid NOT NULL,
  request_id uuid NOT NULL,
  key_id uuid,
  route text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  credits_charged integer NOT NULL,
  duration_ms integer NOT NULL,
  video_id text,
  job_id uuid,
  PRIMARY KEY (request_id, account_id)
);
CREATE INDEX requests_account_id_request_id_idx ON requests (account_id, request_id);
CREATE INDEX requests_account_id_code_request_id_idx ON requests (account_id, code, request_id);
CREATE INDEX requests_account_id_key_id_request_id_idx ON requests (account_id, key_id, request_id);
