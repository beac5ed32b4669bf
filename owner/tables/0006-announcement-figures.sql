-- What became of an announcement is kept on its row once it has ended and none of its mail is under way, so that nobody
-- counts its deliveries again. Null until then.

alter table announcements add column sent integer;
alter table announcements add column failed integer;
alter table announcements add column cancelled integer;

-- People who have no mail of it yet: as planned at its start, less those who got one.
alter table announcements add column still_to_come integer not null default 0;

-- Of a letter.
alter table announcements add column subject text not null default '';

-- Held mail is counted for the statistics, and found again after a restore.
create index deliveries_held on deliveries (id) where state = 'held';

-- Each weekly report has a row of its own, so that a clock that steps back repeats none.
update settings set name = name || ' ' || value where name = 'owner-mail weekly-report';
