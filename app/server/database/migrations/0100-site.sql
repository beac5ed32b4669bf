-- Times are milliseconds since 1970. Tables are named after the glossary in docs/architecture.md.
-- A released migration is never edited. It is written for SQLite; the driver of PostgreSQL puts in its own words. The states are
-- joined by `or`: for an `in` of more than two, SQLite fills a table of its own at every insert.

create table subscribers (
  id             integer primary key autoincrement,
  identity       text not null unique,    -- one per person
  address        text not null,           -- where mail goes
  abuse_key      text,                    -- the inbox behind the identity: as abuse-key.ts folds it; null: the same
  token          text,                    -- of the personal link; made with the first mail
  state          text not null check (
    state = 'active' or state = 'unsubscribed' or state = 'undeliverable' or state = 'blocked'
  ),
  signed_up_at   integer not null,
  left_at        integer,                 -- when the state was last changed from active
  form           text,                    -- hero, closing, program; null: imported
  campaign       text,
  language       text,                    -- of the page with the form
  wording        text,                    -- hash of the page's words
  announcements_agreed_at  integer,       -- turned on; both null: never asked, or left the list since
  announcements_refused_at integer,       -- turned off
  announcements_wording    text,          -- hash of the words agreed to
  news_asked_at  integer,                 -- when the personal page asked; null: never
  series_from    integer,                 -- a letter of the series is due so many days after it; null: none
  first_alert    text,                    -- opened, entry, both: how far they came with a test address; null: never tried
  version        text,                    -- of the kit in their newest starter mail; null: none, they were imported
  version_date   text                     -- its day: 2026-11-21
) strict;
create index subscribers_by_abuse_key on subscribers (abuse_key) where abuse_key is not null;
create unique index subscribers_by_token on subscribers (token) where token is not null;
create index subscribers_by_series on subscribers (series_from, id) where series_from is not null;

-- The number of everybody who was erased, and nothing else about them: a restored backup must not bring them back.
create table erased_subscribers (
  id integer primary key
) strict;

create table wordings (
  hash    text primary key,               -- of content
  content text not null                   -- JSON: the words that a visitor had before them
) strict, without rowid;

create table mail_templates (
  hash    text primary key,               -- of content
  content text not null                   -- JSON: all it takes to write the same bytes again
) strict, without rowid;

create table deliveries (
  id           integer primary key autoincrement, -- never used twice: a worker may still hold an erased one
  subscriber   integer not null references subscribers (id) on delete cascade,
  mailing      integer,                    -- the owner's mail to many: owner/mailings; null: the starter mail
  message_id   text collate binary not null unique, -- with the hash of the receipt that the visitor has
  template     text not null references mail_templates (hash),
  state        text not null check (
    state = 'queued' or state = 'sending' or state = 'sent' or state = 'failed' or state = 'cancelled' or state = 'held'
  ),                                       -- held: its mailing is paused, or it is restored from a backup
  priority     integer not null,           -- 0 a quiet network, 1 a busy one, 9 a mailing; lower goes first
  due_at       integer not null,           -- queued: when to send; sending: when the worker's lease ends
  queued_at    integer not null,           -- also the mail's Date header
  finished_at  integer,
  worker       text,                       -- who holds the lease
  failures     integer not null default 0, -- temporary ones
  last_fault   text,                       -- never with an address in it
  refusal      text,                       -- hash of the words that were last said about this person
  refused_at   integer,                    -- when they were said
  refused_since integer                    -- refused for other reasons since then, while the relay took other mail
) strict;
-- Refusals are compared: the same words for people of different domains are not their fault.
create index deliveries_refused on deliveries (refusal, refused_at) where refusal is not null;
create index deliveries_by_subscriber on deliveries (subscriber);
create index deliveries_due on deliveries (priority, due_at) where state in ('queued', 'sending');
create index deliveries_sending on deliveries (due_at) where state = 'sending';
create unique index deliveries_by_mailing on deliveries (mailing, subscriber) where mailing is not null;
create index deliveries_failed on deliveries (finished_at) where state = 'failed';

-- Sign-ups of a network in ten minutes, an hour and a day: each window begins with its first sign-up.
create table networks (
  network      text primary key,          -- keyed hash
  used         integer not null,
  ends_at      integer not null,
  used_in_hour integer not null,
  hour_ends_at integer not null,
  used_in_day  integer not null,
  day_ends_at  integer not null
) strict, without rowid;

-- Uses of a ceiling in a window that begins with the first use.
create table limits (
  name    text primary key,               -- the ceiling, with a keyed hash of a domain, or the number of a subscriber
  used    integer not null,
  ends_at integer not null
) strict, without rowid;

-- The state of the relay, in one row.
create table relay (
  id                integer primary key check (id = 1),
  last_hand_over_at integer,              -- null: never
  away_since        integer,              -- the first fault since it last answered; null: it takes mail
  away_why          text,                 -- the last fault, never with an address in it
  next_try_at       integer,
  same_since        integer,              -- it said the same about people of different domains; null: never
  same_at           integer,              -- the last time
  same_why          text
) strict;

-- Mails handed over in a minute since 1970. The last hour of them counts against the site's ceiling.
create table mail_minutes (
  minute integer primary key,
  mails  integer not null
) strict;

-- What happened on a day, and how often. It names nobody, so erasing leaves it alone.
create table daily_counts (
  day    text not null,                   -- 2026-11-21, UTC
  event  text not null,                   -- app/server/statistics/daily-counts.ts
  detail text not null,                   -- which of its kind; empty where there is one kind
  count  integer not null,
  primary key (day, event, detail)
) strict, without rowid;
create index daily_counts_by_event on daily_counts (event, day);

-- A visitor's own address for trying an alert. After a day it is deleted, with what it received.
create table test_addresses (
  subscriber integer primary key references subscribers (id) on delete cascade,
  key        text not null unique,        -- the end of the address, which the personal page shows
  ends_at    integer not null,
  entry_seen integer not null default 0,  -- 1: a whole message of an entry arrived
  exit_seen  integer not null default 0
) strict;

create table test_arrivals (
  id               integer primary key autoincrement, -- the newest are kept
  subscriber       integer not null references test_addresses (subscriber) on delete cascade,
  at               integer not null,
  content_type     text not null,         -- as it was sent
  from_tradingview integer not null,      -- 1: from one of its published addresses
  message          text not null,         -- the values of secrets are masked
  verdict          text not null          -- what it does and what is off
) strict;
create index test_arrivals_by_subscriber on test_arrivals (subscriber, id);

create table settings (
  name  text primary key,
  value text not null
) strict, without rowid;

-- The page as the owner made it, whole: each version that was published, and drafts. The newest row is what the owner edits,
-- the newest published one is what visitors get.
create table page_versions (
  id           integer primary key autoincrement,
  state        text not null check (state = 'draft' or state = 'published'),
  revision     integer not null,    -- counts the changes of the page, over all versions
  changed_at   integer not null,    -- published: when
  about        text not null,       -- published: the owner's words for it, or what it changed
  difference   text not null,       -- JSON: the texts that differ from the defaults
  files        text not null,       -- JSON: by kind, which rows of content_files
  last_changes text not null,       -- JSON: by path of a text or kind of a file, the last change: its revision, time and tab
  bundle       text,                -- JSON: published: where the bytes made of it are
  failure      text                 -- JSON: why a newer build could not make its bundle
) strict;

-- The files that versions give away or show, and what was made of the published one.
create table content_files (
  hash       text primary key,                    -- of the bytes: SHA-256, base64url
  size       integer not null,                    -- in bytes
  stored_at  integer not null
) strict, without rowid;

-- In pieces, so that no transaction is long.
create table content_file_parts (
  hash  text not null references content_files (hash) on delete cascade,
  part  integer not null,
  bytes text not null,                            -- base64
  primary key (hash, part)
) strict, without rowid;
