-- The events of an import wait until those of single people are sent.
alter table webhook_events add column priority integer not null default 0;  -- 1: of an import, or of another job
drop index webhook_events_due;
create index webhook_events_due on webhook_events (priority, due_at, id) where state = 'queued';
