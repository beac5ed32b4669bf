-- How many people are in each state, and whom an announcement would reach, is read from it alone, group by group. The campaign
-- comes first so that no search for a state leads here: it would have to sort what it finds.
create index subscribers_by_group
  on subscribers (campaign, state, announcements_cover, signed_up_at, announcements_agreed_at, announcements_refused_at);

-- A job whose next piece fails again and again stops, and says so.

alter table owner_jobs add column failures integer not null default 0;  -- of the next piece, one after the other
alter table owner_jobs add column stopped_why text;                     -- null: it was not stopped, or the owner did it
