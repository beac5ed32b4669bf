-- Mail about new versions: who asked for it. All null: never asked, or left the list since.
alter table subscribers add column announcements_agreed_at bigint;        -- turned on
alter table subscribers add column announcements_wording text;        -- hash of the words then
alter table subscribers add column announcements_refused_at bigint;   -- turned off
