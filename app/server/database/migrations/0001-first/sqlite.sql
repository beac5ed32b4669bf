-- Times are milliseconds since 1970. Tables are named after the glossary in docs/architecture.md.
-- The states are joined by `or`: SQLite fills a table of its own for an `in` of more than two, at every insert.

create table subscribers (
  id             integer primary key,
  identity       text not null unique,    -- one per person: decided here, not by a look-up before
  address        text not null,           -- where mail goes
  abuse_key      text,                    -- identity less tags (and Gmail's dots), where that is something else
  token          text,                    -- of the personal link; made with the first mail
  state          text not null check (state = 'active' or state = 'unsubscribed' or state = 'undeliverable'),
  signed_up_at   integer not null,
  last_mailed_at integer not null,        -- when the newest delivery was queued
  opened_at      integer                  -- kept only with KEEP_UNOPENED_DAYS
) strict;
create index subscribers_by_abuse_key on subscribers (abuse_key) where abuse_key is not null;
create unique index subscribers_by_token on subscribers (token) where token is not null;

create table mail_templates (
  hash    text primary key,               -- of content
  content text not null,                  -- JSON: all it takes to write the same bytes again
  held_until integer                      -- until when a running server may still use it; null: not told yet
) strict, without rowid;

create table deliveries (
  id          integer primary key autoincrement, -- never used twice: a worker may still hold an erased one
  subscriber  integer not null references subscribers (id) on delete cascade,
  message_id  text not null,
  template    text not null references mail_templates (hash),
  state       text not null check (
    state = 'queued' or state = 'sending' or state = 'sent' or state = 'failed' or state = 'cancelled'
  ),
  due_at      integer not null,           -- queued: when to send; sending: when the worker's lease ends
  queued_at   integer not null,           -- also the mail's Date header
  finished_at integer,
  worker      text,                       -- who holds the lease
  failures    integer not null default 0, -- temporary ones
  last_fault  text                        -- never with an address in it
) strict;
create index deliveries_by_subscriber on deliveries (subscriber);
create index deliveries_due on deliveries (due_at) where state in ('queued', 'sending');

create table limit_windows (
  name    text primary key,               -- 'site', or a keyed hash of a network address
  used    integer not null,
  ends_at integer not null
) strict, without rowid;

create table settings (
  name  text primary key,
  value text not null
) strict, without rowid;
