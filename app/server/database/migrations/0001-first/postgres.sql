-- Times are milliseconds since 1970. Tables are named after the glossary in docs/architecture.md.

create table subscribers (
  id             bigint generated always as identity primary key,
  identity       text not null unique,    -- one per person: decided here, not by a look-up before
  address        text not null,           -- where mail goes
  abuse_key      text,                    -- identity less tags (and Gmail's dots), where that is something else
  token          text,                    -- of the personal link; made with the first mail
  state          text not null check (state in ('active', 'unsubscribed', 'undeliverable')),
  signed_up_at   bigint not null,
  last_mailed_at bigint not null,        -- when the newest delivery was queued
  opened_at      bigint                  -- kept only with KEEP_UNOPENED_DAYS
);
create index subscribers_by_abuse_key on subscribers (abuse_key) where abuse_key is not null;
create unique index subscribers_by_token on subscribers (token) where token is not null;

create table mail_templates (
  hash    text primary key,               -- of content
  content text not null,                  -- JSON: all it takes to write the same bytes again
  held_until bigint                       -- until when a running server may still use it; null: not told yet
);

create table deliveries (
  id          bigint generated always as identity primary key,
  subscriber  bigint not null references subscribers (id) on delete cascade,
  message_id  text not null,
  template    text not null references mail_templates (hash),
  state       text not null check (state in ('queued', 'sending', 'sent', 'failed', 'cancelled')),
  due_at      bigint not null,           -- queued: when to send; sending: when the worker's lease ends
  queued_at   bigint not null,           -- also the mail's Date header
  finished_at bigint,
  worker      text,                       -- who holds the lease
  failures    bigint not null default 0, -- temporary ones
  last_fault  text                        -- never with an address in it
);
create index deliveries_by_subscriber on deliveries (subscriber);
create index deliveries_due on deliveries (due_at) where state in ('queued', 'sending');

create table limit_windows (
  name    text primary key,               -- 'site', or a keyed hash of a network address
  used    bigint not null,
  ends_at bigint not null
);

create table settings (
  name  text primary key,
  value text not null
);
