-- More spellings count as one inbox: subscribers/abuse-key.ts. Keys of rows that were stored before have no tag already.

-- Proton ignores dots, hyphens and underscores, and its domains share their inboxes.
update subscribers
set abuse_key = replace(replace(replace(
  substr(coalesce(abuse_key, identity), 1, length(coalesce(abuse_key, identity)) - length(domain)),
  '.', ''), '-', ''), '_', '') || 'proton.me'
from (
  select 'proton.me' as domain union all select 'protonmail.com' union all select 'pm.me' union all select 'protonmail.ch'
) as proton
where identity like '%@' || domain;

-- Yandex reads a dot as a hyphen, and its domains share their inboxes.
update subscribers
set abuse_key = replace(
  substr(coalesce(abuse_key, identity), 1, length(coalesce(abuse_key, identity)) - length(domain)),
  '.', '-') || 'yandex.ru'
from (
  select 'yandex.ru' as domain union all select 'ya.ru' union all select 'narod.ru'
  union all select 'yandex.com' union all select 'yandex.by' union all select 'yandex.kz'
  union all select 'yandex.ua' union all select 'yandex.uz' union all select 'yandex.com.tr'
  union all select 'yandex.com.ge' union all select 'yandex.com.am' union all select 'yandex.co.il'
  union all select 'yandex.az' union all select 'yandex.ee' union all select 'yandex.eu'
  union all select 'yandex.fr' union all select 'yandex.kg' union all select 'yandex.lt'
  union all select 'yandex.lv' union all select 'yandex.md' union all select 'yandex.pl'
  union all select 'yandex.tj' union all select 'yandex.tm'
) as yandex
where (identity like '%@yandex.%' or identity like '%@ya.ru' or identity like '%@narod.ru') and identity like '%@' || domain;

-- The domains of iCloud share their inboxes.
update subscribers
set abuse_key = substr(coalesce(abuse_key, identity), 1, length(coalesce(abuse_key, identity)) - length(domain)) || 'icloud.com'
from (
  select 'me.com' as domain union all select 'mac.com'
) as icloud
where identity like '%@' || domain;

-- A domain's ceiling is not lowered after a block any more.
delete from limits where name like 'blocked-domain %';

-- 0 means never: imported people had no starter mail when they were put on the list.
update subscribers set last_mailed_at = 0
where form is null and not exists (
  select 1 from deliveries where subscriber = subscribers.id and announcement is null
);
