-- PostgreSQL: run after pg_restore, before the server starts. Mail that was unsent when the dump was made may have been sent
-- since, so it is held; "npm run owner -- deliveries retry held" sends it. Announcements under way end, because the rest may
-- have got them since: to announce the same again mails people twice.
begin;
update announcements set state = 'cancelled', ended_at = floor(extract(epoch from now()) * 1000)
  where state in ('running', 'paused');
update deliveries set state = 'cancelled', finished_at = floor(extract(epoch from now()) * 1000), worker = null
  where announcement is not null and state in ('queued', 'sending', 'held');
update deliveries set state = 'held', worker = null where state in ('queued', 'sending');
-- A session that ended or a passkey that was removed since must not come back: sign in with a code again.
delete from desk_sessions;
delete from desk_secrets;
delete from desk_passkeys;
-- Numbers that were given since stand for people in the data of other programs: new ones begin above them.
select setval(pg_get_serial_sequence(table_name, 'id'), nextval(pg_get_serial_sequence(table_name, 'id')) + 1000000)
  from information_schema.columns where is_identity = 'YES' and table_schema = current_schema();
commit;
