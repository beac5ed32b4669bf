-- Which mail goes first: that of a lower lane (server/deliveries/lanes.ts), the oldest first inside a lane.
alter table deliveries add column lane integer not null default 0;

-- One index, as before: a second one would cost every sign-up.
drop index deliveries_due;
create index deliveries_due on deliveries (lane, due_at) where state in ('queued', 'sending');
