-- Letters: what they were written from, whom they go to and when.

alter table announcements add column preview text not null default ''; -- shown after the subject; empty: the text's first words
alter table announcements add column words text;         -- the owner's: the Markdown of a letter; null: not kept
alter table announcements add column campaigns text;     -- JSON: only people of these; null: of all
alter table announcements add column send_at integer;    -- chosen by the owner; null: a minute after it was confirmed
alter table announcements add column paused_at integer;  -- the slow start goes on from there
