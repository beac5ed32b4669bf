-- The owner's list of people, newest first: pages, searches, counts by state and the newest sign-up are read from it alone.
create index subscribers_newest
  on subscribers (signed_up_at, id, identity, state, campaign, form, announcements_agreed_at);
