-- The owner's desk. Nothing in it names a person on the list.

create table desk_sessions (
  hash         text primary key,          -- of the cookie
  browser      text not null,             -- such as Firefox on Linux
  signed_in_at bigint not null,          -- the last proof of who is there: a new one makes a new session
  seen_at      bigint not null
);

-- Each of them opens one thing once.
create table desk_secrets (
  hash       text primary key,            -- of what the browser or the link holds
  kind       text not null check (kind = 'code' or kind = 'link' or kind = 'challenge'),
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
