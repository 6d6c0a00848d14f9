-- How many of the instance's last fetches ended with a fault of the route: few, some or most. Null from an older fetcher.
ALTER TABLE reports ADD COLUMN faults text;
