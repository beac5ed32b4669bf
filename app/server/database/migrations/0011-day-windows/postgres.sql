-- Networks are counted by the day as well, in the row of their ten minutes: a second row would cost every sign-up.
alter table limit_windows add column day_used bigint not null default 0;
alter table limit_windows add column day_ends_at bigint not null default 0; -- 0: not counted by the day
