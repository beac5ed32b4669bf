-- Events of subscribers for WEBHOOK_URL. Triggers of owner/webhooks/ fill it, only while that is set.
-- No address is in it: it is read from the subscriber's row when the event is sent.

create table webhook_events (
  id          bigint generated always as identity primary key,
  message_id  text not null,              -- the webhook-id of every try
  type        text not null,
  subscriber  bigint not null,           -- no foreign key: the event of an erasure outlives the row
  tells       text not null check (tells = 'number' or tells = 'person' or tells = 'address'),
  occurred_at bigint not null,
  state       text not null default 'queued' check (state = 'queued' or state = 'delivered' or state = 'failed'),
  due_at      bigint not null default 0, -- queued: when to send, or when the worker's lease ends
  finished_at bigint,
  worker      text,                       -- who holds the lease
  failures    bigint not null default 0,
  last_fault  text                        -- never with an address in it
);
create index webhook_events_by_subscriber on webhook_events (subscriber, id);
create index webhook_events_due on webhook_events (due_at, id) where state = 'queued';
