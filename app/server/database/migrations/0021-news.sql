-- Consent is asked for on the personal page, once. A series of letters counts from a person's consent.

alter table subscribers add column news_asked_at integer;  -- when the personal page asked; null: never
alter table subscribers add column series_from integer;    -- a letter of the series is due so many days after it; null: none
create index subscribers_by_series on subscribers (series_from, id) where series_from is not null;
