-- Times are milliseconds since 1970. Tables are named after the glossary in docs/architecture.md.
-- A released migration is never edited. It is written for SQLite; the driver of PostgreSQL puts in its own words. The states are
-- joined by `or`: for an `in` of more than two, SQLite fills a table of its own at every insert.

create table subscribers (
  id             integer primary key autoincrement,
  identity       text not null unique,    -- one per person
  address        text not null,           -- where mail goes
  abuse_key      text,                    -- the inbox behind the identity: without tag, and without Gmail's dots; null: the same
  token          text,                    -- of the personal link; made with the first mail
  state          text not null check (
    state = 'active' or state = 'unsubscribed' or state = 'undeliverable' or state = 'blocked'
  ),
  signed_up_at   integer not null,
  last_mailed_at integer not null,        -- when the newest starter mail was queued
  left_at        integer,                 -- when the state was last changed from active
  form           text,                    -- hero, closing, program; null: imported
  campaign       text,
  language       text,                    -- of the page with the form
  wording        text,                    -- hash of the page's words
  announcements_agreed_at  integer,       -- turned on; both null: never asked, or left the list since
  announcements_refused_at integer,       -- turned off
  announcements_wording    text,          -- hash of the words agreed to
  announcements_cover      text           -- versions, news: what those words cover
) strict;
create index subscribers_by_abuse_key on subscribers (abuse_key) where abuse_key is not null;
create unique index subscribers_by_token on subscribers (token) where token is not null;

create table wordings (
  hash    text primary key,               -- of content
  content text not null                   -- JSON: the words that a visitor had before them
) strict, without rowid;

create table mail_templates (
  hash    text primary key,               -- of content
  content text not null                   -- JSON: all it takes to write the same bytes again
) strict, without rowid;

-- Mail about a new version, and letters: owner/announcements.
create table announcements (
  id               integer primary key autoincrement,
  name             text not null unique,       -- the version, or the letter's file name without .md
  kind             text not null,              -- version, letter
  audience         text not null,              -- consented, everyone
  state            text not null,              -- running, paused, cancelled, done
  template         text not null references mail_templates (hash),
  signed_up_before integer not null,           -- later ones have the version
  starts_at        integer not null,           -- one minute after it was confirmed; cancelling takes it back until then
  resumed_at       integer not null,           -- the slow start counts from here
  per_hour         integer check (per_hour > 0),           -- replaces the slow start
  most_per_hour    integer check (most_per_hour > 0),      -- caps the slow start
  released_up_to   integer not null default 0, -- subscribers up to this number have their delivery
  paused_why       text,                       -- paused automatically
  ended_at         integer
) strict;

create table deliveries (
  id           integer primary key autoincrement, -- never used twice: a worker may still hold an erased one
  subscriber   integer not null references subscribers (id) on delete cascade,
  announcement integer references announcements (id), -- null: the starter mail
  message_id   text not null unique,       -- with the hash of the receipt that the visitor has
  template     text not null references mail_templates (hash),
  state        text not null check (
    state = 'queued' or state = 'sending' or state = 'sent' or state = 'failed' or state = 'cancelled' or state = 'held'
  ),                                       -- held: its announcement is paused, or it is restored from a backup
  priority     integer not null,           -- 0 a quiet network, 1 a busy one, 9 announcements; lower goes first
  due_at       integer not null,           -- queued: when to send; sending: when the worker's lease ends
  queued_at    integer not null,           -- also the mail's Date header
  finished_at  integer,
  worker       text,                       -- who holds the lease
  failures     integer not null default 0, -- temporary ones
  last_fault   text                        -- never with an address in it
) strict;
create index deliveries_by_subscriber on deliveries (subscriber);
create index deliveries_due on deliveries (priority, due_at) where state in ('queued', 'sending');
create index deliveries_sending on deliveries (due_at) where state = 'sending';
create unique index deliveries_by_announcement on deliveries (announcement, subscriber) where announcement is not null;
create index deliveries_failed on deliveries (finished_at) where state = 'failed';

-- Uses of a ceiling in a window that begins with the first use.
create table limits (
  name    text primary key,               -- the ceiling, with a keyed hash of a network or a domain
  used    integer not null,
  ends_at integer not null
) strict, without rowid;

-- What happened on a day, and how often. It names nobody, so erasing leaves it alone.
create table daily_counts (
  day    text not null,                   -- 2026-11-21, UTC
  event  text not null,                   -- app/server/statistics/daily-counts.ts
  detail text not null,                   -- which of its kind; empty where there is one kind
  count  integer not null,
  primary key (day, event, detail)
) strict, without rowid;

create table settings (
  name  text primary key,
  value text not null
) strict, without rowid;
