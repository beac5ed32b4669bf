-- Drafts of the page that another one took the place of, such as an earlier version that was brought back.

create table page_kept_drafts (
  id       integer primary key autoincrement,
  kept_at  integer not null,
  about    text not null,               -- what it changed
  content  text not null                -- JSON: texts that differ from the defaults, and which files
) strict;
