-- The letters of the series are announcements of the kind series, whose recipients fall due one by one.

alter table announcements add column after_days integer;      -- since the consent; null: no letter of the series
alter table announcements add column switched_on integer;     -- by the owner: 1 on, 0 off
alter table announcements add column series_up_to integer;    -- people whose series began by then had their turn, with released_up_to of those of that moment
alter table announcements add column came_due integer not null default 0;    -- mails queued so far
alter table announcements add column counted_to integer;      -- sent and left_after count the mails sent until then
alter table announcements add column left_after integer not null default 0;  -- people who left within a day after it
