-- The tables of the owner's ring: the desk, webhooks, and an index for announcements.

create table desk_sessions (
  hash         text primary key,          -- of the cookie
  browser      text not null,             -- such as Firefox on Linux
  signed_in_at integer not null,          -- the last proof of who is there: a new one makes a new session
  seen_at      integer not null
) strict, without rowid;

-- Each of them opens one thing once.
create table desk_secrets (
  hash       text primary key,            -- of what the browser or the link holds
  kind       text not null check (kind = 'code' or kind = 'link' or kind = 'challenge'),
  value      text not null,               -- code: its hash with what the browser holds; challenge: for a passkey
  tries_left integer not null,
  ends_at    integer not null
) strict, without rowid;

create table desk_passkeys (
  id         text primary key,
  public_key text not null,               -- base64url, as the id
  counter    integer not null,
  name       text not null,
  made_at    integer not null,
  used_at    integer
) strict, without rowid;

create table desk_audit (
  id    integer primary key autoincrement,
  at    integer not null,
  act   text not null,
  about text not null                     -- the number of a person or a mail, an announcement's name; never an address
) strict;

-- Events for WEBHOOK_URL, written by the code that causes them. No address is in it: it is read from the subscriber's row
-- when the event is sent.
create table webhook_events (
  id          integer primary key autoincrement,
  message_id  text not null,              -- the webhook-id of every try
  type        text not null,              -- joined, consented, left, bounced, erased
  subscriber  integer not null,           -- no foreign key: the event of an erasure outlives the row
  occurred_at integer not null,
  state       text not null check (state = 'queued' or state = 'delivered' or state = 'failed'),
  due_at      integer not null,           -- queued: when to send, or when the worker's lease ends
  worker      text,                       -- who holds the lease
  failures    integer not null default 0,
  answer      text,                       -- to the last try: http 200, timed out
  finished_at integer
) strict;
create index webhook_events_due on webhook_events (due_at, id) where state = 'queued';
create index webhook_events_unsent on webhook_events (subscriber, id) where state = 'queued';
create index webhook_events_by_time on webhook_events (occurred_at);

-- Whose address the receiver of webhooks was told. It is told when they withdraw their consent.
create table webhook_told (
  subscriber integer primary key references subscribers (id) on delete cascade
) strict;

create index deliveries_by_announcement_state on deliveries (announcement, state, finished_at)
  where announcement is not null;
