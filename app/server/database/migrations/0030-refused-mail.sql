-- Refusals are compared: the same words for people of different domains are not their fault.
alter table deliveries add column refusal text;          -- hash of the words that were last said about this person
alter table deliveries add column refused_at integer;    -- when they were said
alter table deliveries add column refused_since integer; -- refused for other reasons since then, while the relay took other mail
create index deliveries_refused on deliveries (refusal, refused_at) where refusal is not null;
