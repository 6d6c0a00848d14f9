-- Where the stream kept the message when it was heard last: what tells whether a broker has lost what was heard.
ALTER TABLE messaging.inbox ADD COLUMN stream_seq bigint;
