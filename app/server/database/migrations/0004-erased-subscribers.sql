-- The number of everybody who was erased, and nothing else about them: a restored backup must not bring them back.

create table erased_subscribers (
  id integer primary key
) strict;

-- Whoever was erased before this table was made left a gap in the numbers.
insert into erased_subscribers (id)
with recursive numbers (n) as (
  select 1 union all select n + 1 from numbers where n < (select max(id) from subscribers)
)
select n from numbers where n < (select max(id) from subscribers) and n not in (select id from subscribers);
