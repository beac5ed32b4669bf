-- PostgreSQL, after pg_restore and before the server is started: what was owed when the dump was made may have been sent
-- since. None of it goes out by itself; "npm run owner -- deliveries retry failed" sends it.
begin;
update subscribers set state = 'undeliverable'
  where state = 'active' and id in (select subscriber from deliveries where state in ('queued', 'sending'));
update deliveries
  set state = 'failed', finished_at = floor(extract(epoch from now()) * 1000),
    last_fault = 'owed when the backup was made; may have been sent since'
  where state in ('queued', 'sending');
commit;
