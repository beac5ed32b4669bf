-- How many people are in each state, and whom an announcement would reach, is read from it alone, group by group. The campaign
-- comes first so that no search for a state leads here: it would have to sort what it finds.
create index subscribers_by_group
  on subscribers (campaign, state, announcements_cover, signed_up_at, announcements_agreed_at, announcements_refused_at);
