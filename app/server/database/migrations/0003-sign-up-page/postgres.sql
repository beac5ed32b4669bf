-- How each sign-up came about. Null: from before, or not known.

create table wordings (
  hash    text primary key,               -- of content
  content text not null                   -- JSON: the words that a visitor had before them
);

-- No foreign keys to wordings: each would cost every sign-up a look-up. Wordings are never deleted.
alter table subscribers add column form text;
alter table subscribers add column campaign text;
alter table subscribers add column language text;          -- of the page: en
alter table subscribers add column wording text;           -- hash of the page's words
