-- The tables of the owner's ring.

-- A mail to many: a letter, a version's letter, or a letter of the series.
create table mailings (
  id               integer primary key autoincrement,
  name             text unique,                -- of its file, at the command line; null: written at the desk
  version          text,                       -- of the kit: the letter tells people with an older one what changed; null: everybody
  version_date     text,                       -- its day: 2026-11-21
  state            text not null check (
    state = 'draft' or state = 'scheduled' or state = 'sending' or state = 'paused' or state = 'done' or state = 'cancelled'
  ),
  subject          text not null default '',
  preview          text not null default '',   -- mail programs show it after the subject; empty: the text's first words
  words            text not null default '',   -- Markdown
  revision         integer not null default 1, -- counts the saves
  changed_at       integer not null,
  audience         text not null default 'consented',  -- consented, everyone
  campaigns        text,                       -- JSON: only people of these; null: of all
  not_mailing      integer,                    -- not those who have a mail of this mailing, or had it again
  again            integer not null default 0, -- 1: it is not_mailing again, for those who have not had it
  after_days       integer,                    -- a letter of the series: so many days after a person agreed; null: once
  send_at          integer,                    -- chosen by the owner; null: a minute after it was confirmed
  starts_at        integer,                    -- until then it can be taken back
  resumed_at       integer,                    -- the sample of returned mail begins here
  template         text references mail_templates (hash), -- from its start on; of the series: the newest
  cursor_at        integer not null default 0, -- of the series: people whose days began by then had their turn,
  cursor_id        integer not null default 0, -- with those of that moment up to this number; else: people up to this number
  to_send          integer not null default 0, -- as counted at its start; of the series: queued so far
  sent             integer not null default 0,
  failed           integer not null default 0,
  left_after       integer not null default 0, -- people who left within a day after it
  paused_why       text,                       -- paused automatically
  ended_at         integer
) strict;
create index mailings_at_work on mailings (id) where state in ('scheduled', 'sending');

create index deliveries_by_mailing_state on deliveries (mailing, state, finished_at)
  where mailing is not null;

-- Mails of mailings queued in an hour since 1970. The warm-up of the site counts them.
create table mailing_hours (
  hour  integer primary key,
  mails integer not null
) strict;

-- Pictures of letters. The name holds a hash of the bytes and the size, so an address never gets other bytes.
create table letter_pictures (
  name     text primary key,   -- HASH-WIDTHxHEIGHT.png or .jpg
  content  text not null,      -- base64
  added_at integer not null
) strict, without rowid;

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
  value      text not null,               -- code: its hash with what the browser holds; link: the last proof of who made it, ms since 1970
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
  about text not null                     -- the number of a person, a mail or a mailing; never an address
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
  answer      text,                       -- to the last try: http 200, ECONNREFUSED
  finished_at integer,
  priority    integer not null default 0  -- 1: of an import, or of another job; they wait for those of single people
) strict;
create index webhook_events_due on webhook_events (priority, due_at, id) where state = 'queued';
create index webhook_events_unsent on webhook_events (subscriber, id) where state = 'queued';
create index webhook_events_by_time on webhook_events (occurred_at);

-- Whose address the receiver of webhooks was told. It is told when they withdraw their consent.
create table webhook_told (
  subscriber integer primary key references subscribers (id) on delete cascade
) strict;

-- Whom the owner took off the list, and what their row said before: they can be put back by it.
create table taken_off (
  subscriber integer primary key references subscribers (id) on delete cascade,
  marked_at  integer not null,            -- with marked_as: as the subscriber's row says while the mark stands
  marked_as  text not null,
  state      text not null,
  left_at    integer,
  announcements_agreed_at  integer,
  announcements_refused_at integer,
  announcements_wording    text,
  series_from integer
) strict;

-- Held mail is counted for the statistics, and found again after a restore.
create index deliveries_held on deliveries (id) where state = 'held';

-- The owner's list of people, newest first: pages, searches, counts by state and the newest sign-up are read from it alone.
create index subscribers_newest
  on subscribers (signed_up_at, id, identity, state, campaign, form, announcements_agreed_at);
-- How many people are in each state, and whom a mailing would reach, is read from it alone, group by group. The campaign comes
-- first so that no search for a state leads here: it would have to sort what it finds.
create index subscribers_by_group
  on subscribers (campaign, state, version_date, version, announcements_agreed_at, announcements_refused_at);

-- Large acts of the owner that go on by themselves, piece by piece.
create table owner_jobs (
  id          integer primary key autoincrement,
  kind        text not null,              -- import, undo-import, retry, suppress
  about       text not null,              -- undo-import: the number of the import; import: its campaign; else empty
  state       text not null check (
    state = 'preparing' or state = 'running' or state = 'done' or state = 'stopped'
  ),                                      -- preparing: its pieces are being stored
  total       integer not null,           -- people, mails or addresses
  done        integer not null,           -- of these
  counts      text not null,              -- JSON: what came of it, such as {"added":12}
  started_at  integer not null,
  ended_at    integer,
  failures    integer not null default 0, -- of the next piece, one after the other
  stopped_why text                        -- null: it was not stopped, or the owner did it
) strict;
create index owner_jobs_running on owner_jobs (id) where state = 'running';

-- What is left of a job. A piece is deleted in the transaction that does it.
create table owner_job_pieces (
  job     integer not null references owner_jobs (id) on delete cascade,
  number  integer not null,
  content text not null,                  -- JSON: a list of people, numbers or reports
  primary key (job, number)
) strict, without rowid;

-- Who was put on the list by which import. Kept for a day, while the import can be undone.
create table imported_people (
  subscriber integer primary key references subscribers (id) on delete cascade,
  job        integer not null references owner_jobs (id) on delete cascade
) strict;
create index imported_people_by_job on imported_people (job, subscriber);
