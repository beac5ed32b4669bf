-- A complaint in a file of bounces ends a consent, and with it the series of letters. A restore puts both back.
alter table imported_bounces add column series_from integer;
