-- Inboxes whose holder did not ask for our mail. Hashes only, so that a block outlives the erasure of the address.

create table blocked_addresses (
  hash       text primary key,            -- keyed, of the abuse key
  token_hash text not null,               -- keyed, of the personal link that lifts the block
  ends_at    bigint not null
);
