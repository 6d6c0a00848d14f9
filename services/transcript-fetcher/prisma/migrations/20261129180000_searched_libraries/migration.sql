CREATE TABLE searched_libraries (
    account_id UUID NOT NULL,

    CONSTRAINT searched_libraries_pkey PRIMARY KEY (account_id)
);

-- What was received until now is searchable, and stays so.
INSERT INTO searched_libraries SELECT DISTINCT account_id FROM library_entries;
