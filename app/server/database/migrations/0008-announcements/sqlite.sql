-- Mails about a new version (owner/announcements). Each recipient has one delivery, made page by page.

create table announcements (
  id              integer primary key,
  version         text not null unique,
  audience        text not null,              -- consented, everyone
  state           text not null,              -- running, paused, cancelled, done
  template        text not null references mail_templates (hash),
  signed_up_from  integer not null,
  signed_up_before integer not null,          -- the end of the release's day: later ones have the version
  queued_up_to    integer not null default 0, -- subscribers up to this number have their delivery
  is_queued       integer not null default 0, -- 1: all of them have
  recipients      integer not null default 0, -- deliveries made
  per_hour        integer,                    -- null: a slow start
  allowance       integer not null,           -- mails of this hour
  released        integer not null default 0, -- of these
  hour_ends_at    integer not null default 0,
  judged_from     integer not null,           -- what came back before does not count
  complaints      integer not null default 0,
  paused_why      text,                       -- paused automatically
  paused_at       integer,
  started_at      integer not null
) strict;

alter table deliveries add column announcement integer references announcements (id); -- null: mail of a sign-up
create unique index deliveries_by_announcement on deliveries (announcement, subscriber) where announcement is not null;
create index deliveries_finished on deliveries (announcement, finished_at) where announcement is not null;
