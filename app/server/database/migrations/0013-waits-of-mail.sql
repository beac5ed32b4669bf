-- When the wait began that ends at due_at. A wait that began in the future was begun by a clock that was ahead.
alter table deliveries add column waits_since integer not null default 0;
update deliveries set waits_since = queued_at where state in ('queued', 'sending');
