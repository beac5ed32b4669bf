-- PostgreSQL: run after pg_restore, before the server starts. Mail that was owed when the dump was made may have been sent
-- since, so it is not sent automatically; "npm run owner -- deliveries retry failed" sends it. Announcements end, because
-- the rest may have got them since. KEEP_UNOPENED_DAYS counts from now on, because the server would otherwise erase people who opened their page since.
begin;
update subscribers set state = 'undeliverable'
  where state = 'active' and id in (
    select subscriber from deliveries where state in ('queued', 'sending') and announcement is null
  );
update announcements set state = 'cancelled', is_queued = 1 where state in ('running', 'paused');
update deliveries set state = 'cancelled', finished_at = floor(extract(epoch from now()) * 1000)
  where state in ('queued', 'sending') and announcement is not null;
update deliveries
  set state = 'failed', finished_at = floor(extract(epoch from now()) * 1000),
    last_fault = 'owed when the backup was made; may have been sent since'
  where state in ('queued', 'sending');
insert into settings values ('restored-unknowing', floor(extract(epoch from now()) * 1000)::bigint::text)
  on conflict (name) do update set value = excluded.value;
update settings set value = floor(extract(epoch from now()) * 1000)::bigint::text
  where name = 'unopened-counted-since';
commit;
