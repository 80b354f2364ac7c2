"""What every request is read with: typed fields, listing cursors, idempotency keys."""
