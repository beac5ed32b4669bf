-- The tables of the owner's ring: the desk, webhooks, and an index for announcements.

create table desk_sessions (
  hash         text primary key,          -- of the cookie
  browser      text not null,             -- such as Firefox on Linux
  signed_in_at bigint not null,          -- the last proof of who is there: a new one makes a new session
  seen_at      bigint not null
);

-- Each of them opens one thing once.
create table desk_secrets (
  hash       text primary key,            -- of what the browser or the link holds
  kind       text not null check (
    kind = 'code' or kind = 'link' or kind = 'challenge' or kind = 'browser'
  ),
  value      text not null,               -- code: its hash with what the browser holds; challenge: for a passkey
  tries_left bigint not null,
  ends_at    bigint not null
);

create table desk_passkeys (
  id         text primary key,
  public_key text not null,               -- base64url, as the id
  counter    bigint not null,
  name       text not null,
  made_at    bigint not null,
  used_at    bigint
);

create table desk_audit (
  id    bigint generated always as identity primary key,
  at    bigint not null,
  act   text not null,
  about text not null                     -- the number of a person or a mail, a version; never an address
);

-- Events for WEBHOOK_URL, written by the code that causes them. No address is in it: it is read from the subscriber's row
-- when the event is sent.
create table webhook_events (
  id          bigint generated always as identity primary key,
  message_id  text not null,              -- the webhook-id of every try
  type        text not null,              -- joined, consented, left, bounced, erased
  subscriber  bigint not null,           -- no foreign key: the event of an erasure outlives the row
  occurred_at bigint not null,
  state       text not null check (state = 'queued' or state = 'delivered' or state = 'failed'),
  due_at      bigint not null,           -- queued: when to send, or when the worker's lease ends
  worker      text,                       -- who holds the lease
  failures    bigint not null default 0,
  answer      text,                       -- to the last try: http 200, timed out
  finished_at bigint
);
create index webhook_events_due on webhook_events (due_at, id) where state = 'queued';
create index webhook_events_unsent on webhook_events (subscriber, id) where state = 'queued';
create index webhook_events_by_time on webhook_events (occurred_at);

-- Whose address the receiver of webhooks was told. It is told when they withdraw their consent.
create table webhook_told (
  subscriber bigint primary key references subscribers (id) on delete cascade
);

create index deliveries_by_announcement_state on deliveries (announcement, state, finished_at)
  where announcement is not null;
