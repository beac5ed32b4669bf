-- Whom a file of bounces took off the list, and what their row said before. A restore undoes the file by it.

create table imported_bounces (
  subscriber integer primary key references subscribers (id) on delete cascade,
  marked_at  integer not null,            -- with marked_as: as the subscriber's row says while the mark stands
  marked_as  text not null,
  state      text not null,
  left_at    integer,
  announcements_agreed_at  integer,
  announcements_refused_at integer,
  announcements_wording    text,
  announcements_cover      text
) strict;
