-- Large acts of the owner that go on by themselves, piece by piece.

create table owner_jobs (
  id         integer primary key autoincrement,
  kind       text not null,               -- import, undo-import, retry, bounces
  about      text not null,               -- undo-import: the number of the import; else empty
  state      text not null check (
    state = 'preparing' or state = 'running' or state = 'done' or state = 'stopped'
  ),                                      -- preparing: its pieces are being stored
  total      integer not null,            -- people, mails or addresses
  done       integer not null,            -- of these
  counts     text not null,               -- JSON: what came of it, such as {"added":12}
  started_at integer not null,
  ended_at   integer
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
