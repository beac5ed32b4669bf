-- The owner's draft of the page, as it is typed: what differs from the page that is published.

create table page_draft (
  path       text primary key,          -- of a text below content/, such as landingPage.hero.lede
  value      text not null,             -- JSON: a text, or a whole list
  changed_at integer not null,
  writer     text not null              -- the tab that wrote it
) strict;

create table page_draft_files (
  kind       text primary key,          -- script, guide, sharePicture, chart, icon
  name       text not null,
  media_type text not null,
  hash       text,                      -- of a row of content_files; null: ours, in the place of the published one
  size       integer not null,          -- in bytes
  changed_at integer not null
) strict;
