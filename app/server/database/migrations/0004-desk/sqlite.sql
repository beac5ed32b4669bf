-- The owner's desk. Nothing in it names a person on the list.

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
  about text not null                     -- the number of a person or a mail, a version; never an address
) strict;
