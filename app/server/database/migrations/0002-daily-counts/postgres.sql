-- What happened on a day, and how often: for the owner's statistics. Nobody's name is in it, so erasing leaves it alone.

create table daily_counts (
  day    text not null,            -- 2026-11-21, UTC
  event  text not null,            -- countedEvents in server/statistics/daily-counts.ts
  detail text not null,            -- which of its kind; empty where there is one kind
  count  bigint not null,
  primary key (day, event, detail)
);

-- What the rows still tell of the days before.
insert into daily_counts
  select to_char(to_timestamp(signed_up_at / 1000) at time zone 'UTC', 'YYYY-MM-DD'), 'signed-up', 'unknown', count(*)
  from subscribers group by 1;
insert into daily_counts
  select to_char(to_timestamp(finished_at / 1000) at time zone 'UTC', 'YYYY-MM-DD'),
    case state when 'sent' then 'delivered' else 'failed' end, '', count(*)
  from deliveries where state in ('sent', 'failed') and finished_at is not null group by 1, 2;
