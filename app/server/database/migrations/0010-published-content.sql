-- What the owner publishes at the desk: each version whole, and the files that versions give away or show.

create table published_versions (
  id           integer primary key autoincrement, -- the newest is served
  published_at integer not null,
  about        text not null,                     -- the owner's, or what it was about
  content      text not null                      -- JSON: texts that differ from the defaults, and which files
) strict;

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
