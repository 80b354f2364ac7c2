-- What a request came to is kept as ids, counts and states; its status follows from them.
ALTER TABLE idempotency_keys DROP COLUMN status;
