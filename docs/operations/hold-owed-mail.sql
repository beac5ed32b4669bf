-- PostgreSQL, after pg_restore and before the server is started: what was owed when the dump was made may have been sent
-- since. None of it goes out by itself; "npm run owner -- deliveries retry failed" sends it. Nobody knows who opened
-- their page since: KEEP_UNOPENED_DAYS counts from now on, else the server would erase who did.
begin;
update subscribers set state = 'undeliverable'
  where state = 'active' and id in (select subscriber from deliveries where state in ('queued', 'sending'));
update deliveries
  set state = 'failed', finished_at = floor(extract(epoch from now()) * 1000),
    last_fault = 'owed when the backup was made; may have been sent since'
  where state in ('queued', 'sending');
update settings set value = floor(extract(epoch from now()) * 1000)::bigint::text
  where name = 'unopened-counted-since';
commit;
